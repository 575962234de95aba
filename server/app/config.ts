import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve, win32 } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../shared/contract/errors.ts';
import { isUpdatedByCentral, type MachinePolicy } from '../../shared/contract/machine-policy.ts';
import { isNetwork } from '../identity/token-bounds.ts';

/** What the environment says; the names are fixed, scripts rely on them. */
export interface Config {
  /** `HOLDPOINT_DATA`: where everything of this installation is kept. */
  folder: string;
  /** `HOLDPOINT_HOST`, `HOLDPOINT_PORT`: where the server listens. Port 0 takes a free one. */
  host: string;
  port: number;
  /** `HOLDPOINT_HOSTS`: further host names that the server answers to. */
  hosts: string[];
  /** `HOLDPOINT_TOKEN`: an administrator's token to accept besides the stored ones. */
  token: string | undefined;
  /** `HOLDPOINT_CERTIFICATE`, `HOLDPOINT_KEY`: PEM files for HTTPS, both or none. */
  certificate?: string | undefined;
  key?: string | undefined;
  /** `HOLDPOINT_PROXY`: a proxy before this server speaks TLS, so that plain HTTP beyond loopback is meant. */
  isBehindProxy?: boolean;
  /** `HOLDPOINT_CA`: a PEM file with the authorities by which a station knows its central; the system's when absent. */
  authorities?: string | undefined;
  /** `HOLDPOINT_STATION_DAY_MB`: of a central, megabytes of changes that it takes from one station in a day; 2,048 when absent. */
  stationDayMB?: number | undefined;
  /** `HOLDPOINT_STATION_BACKUPS_GB`: of a central, gigabytes of backups that it keeps of one station; 20 when absent. */
  stationBackupsGB?: number | undefined;
  /** `HOLDPOINT_CHECKPOINTS`: a folder in which a file of checkpoints is kept for each day; none when absent. */
  checkpoints?: string | undefined;
  /** `HOLDPOINT_BACKUP_KEY_FILE`: a file with the recovery key, by which restores of encrypted backups are practised by themselves. */
  backupKeyFile?: string | undefined;
  /**
   * `HOLDPOINT_WEBHOOK_TARGETS`: addresses and networks that webhooks may reach besides; at central, of those that are not on the
   * open Internet no others.
   */
  webhookTargets?: string[] | undefined;
  /**
   * `HOLDPOINT_JOURNAL`: of a central that several processes serve, the database in PostgreSQL that keeps them in step:
   * `postgres://user@host1,host2/database`. None: the data folder is all there is.
   */
  journal?: string | undefined;
  /** `HOLDPOINT_REPORTS`: of such a central, whether its records are kept for reports in SQL as well. */
  hasReports?: boolean;
  /** `HOLDPOINT_PROCESS_ADDRESS`: where the other processes of such a central reach this one, when that is not where it listens. */
  processAddress?: string | undefined;
  /** `HOLDPOINT_SERVICE`: a file in which the server of a machine says to all who work there where it is. */
  service?: string | undefined;
  /** Whose updates a station follows, by the machine's policy; the stable ones when absent. */
  updateRing?: string | undefined;
  /** When a station offers updates, as `update_window` of the machine's policy; always when absent. */
  updateWindow?: string | undefined;
  /** By the machine's policy: whether its administrators update it by other means. */
  isUpdatedElsewhere?: boolean;
  /** Of the screens of who has chosen none, by the machine's policy. */
  language?: 'en' | 'de' | undefined;
  /** `HOLDPOINT_LOG` */
  logLevel: string;
}

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const environment = z.object({
  HOLDPOINT_DATA: z.string().min(1).optional(),
  HOLDPOINT_HOST: z.string().min(1).default('127.0.0.1'),
  HOLDPOINT_PORT: z.coerce
    .number({ error: 'Give a port, 0 to 65535.' })
    .int()
    .min(0)
    .max(65_535, { error: 'Give a port, 0 to 65535.' })
    .default(4870),
  HOLDPOINT_HOSTS: z.string().default(''),
  HOLDPOINT_TOKEN: z.string().min(1).optional(),
  HOLDPOINT_CERTIFICATE: z.string().optional(),
  HOLDPOINT_KEY: z.string().optional(),
  HOLDPOINT_PROXY: z.enum(['0', '1'], { error: 'Give 1, or leave it empty.' }).default('0'),
  HOLDPOINT_CA: z.string().optional(),
  HOLDPOINT_STATION_DAY_MB: z.coerce
    .number({ error: 'Give megabytes, 16 or more.' })
    .int()
    .min(16, { error: 'Give megabytes, 16 or more.' })
    .optional(),
  HOLDPOINT_STATION_BACKUPS_GB: z.coerce
    .number({ error: 'Give gigabytes, more than 0.' })
    .positive({ error: 'Give gigabytes, more than 0.' })
    .optional(),
  HOLDPOINT_CHECKPOINTS: z.string().optional(),
  HOLDPOINT_BACKUP_KEY_FILE: z.string().optional(),
  HOLDPOINT_WEBHOOK_TARGETS: z
    .string()
    .default('')
    .transform(listIn)
    .refine(targets => targets.every(isNetwork), {
      error: 'Give addresses and networks such as 10.2.0.17 or 10.2.0.0/16.',
    }),
  HOLDPOINT_JOURNAL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, {
      error: 'Give postgres://user@host/database, or several hosts with commas between.',
    })
    .optional(),
  HOLDPOINT_REPORTS: z.enum(['0', '1'], { error: 'Give 1, or leave it empty.' }).default('0'),
  HOLDPOINT_PROCESS_ADDRESS: z
    .string()
    .regex(/^https?:\/\/[^/?#@]+$/, { error: 'Give https://host:port.' })
    .optional(),
  HOLDPOINT_SERVICE: z.string().optional(),
  HOLDPOINT_LOG: z.enum(LEVELS, { error: `Give one of ${LEVELS.join(', ')}.` }).default('info'),
});

/**
 * An empty variable counts as one that is not set. What the machine's policy sets comes before it.
 * @throws AppError that names the variable at fault
 */
export function readConfig(
  variables: Record<string, string | undefined>,
  policy: MachinePolicy = {},
): Config {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const result = environment.safeParse(given);
  if (!result.success) {
    const [issue] = result.error.issues;
    const name = String(issue?.path[0]);
    const value = JSON.stringify(variables[name]);
    throw new AppError(
      'validation_failed',
      `${name}=${value} cannot be used. ${issue?.message ?? ''}`.trim(),
    );
  }
  const { data } = result;
  if (data.HOLDPOINT_REPORTS === '1' && data.HOLDPOINT_JOURNAL === undefined)
    throw new AppError('validation_failed', NO_JOURNAL);
  const authorities = policy.authority_file ?? data.HOLDPOINT_CA;
  return {
    folder: folderIn(variables),
    host: data.HOLDPOINT_HOST,
    port: policy.port ?? data.HOLDPOINT_PORT,
    hosts: listIn(data.HOLDPOINT_HOSTS),
    token: data.HOLDPOINT_TOKEN,
    certificate: data.HOLDPOINT_CERTIFICATE && resolve(data.HOLDPOINT_CERTIFICATE),
    key: data.HOLDPOINT_KEY && resolve(data.HOLDPOINT_KEY),
    isBehindProxy: data.HOLDPOINT_PROXY === '1',
    authorities: authorities && resolve(authorities),
    stationDayMB: data.HOLDPOINT_STATION_DAY_MB,
    stationBackupsGB: data.HOLDPOINT_STATION_BACKUPS_GB,
    checkpoints: data.HOLDPOINT_CHECKPOINTS && resolve(data.HOLDPOINT_CHECKPOINTS),
    backupKeyFile: data.HOLDPOINT_BACKUP_KEY_FILE && resolve(data.HOLDPOINT_BACKUP_KEY_FILE),
    webhookTargets: data.HOLDPOINT_WEBHOOK_TARGETS,
    journal: data.HOLDPOINT_JOURNAL,
    hasReports: data.HOLDPOINT_REPORTS === '1',
    processAddress: data.HOLDPOINT_PROCESS_ADDRESS,
    service: data.HOLDPOINT_SERVICE && resolve(data.HOLDPOINT_SERVICE),
    updateRing: policy.update_ring,
    updateWindow: policy.update_window,
    isUpdatedElsewhere: !isUpdatedByCentral(policy, process.platform),
    language: policy.language,
    logLevel: data.HOLDPOINT_LOG,
  };
}

const NO_JOURNAL =
  'HOLDPOINT_REPORTS=1 cannot be used: reports in SQL stand beside the journal of a central. Set HOLDPOINT_JOURNAL as well, or leave it out.';

/** The data folder, also where something else cannot be used. */
export function folderIn(variables: Record<string, string | undefined>): string {
  return resolve(variables.HOLDPOINT_DATA || defaultFolder(variables));
}

function listIn(text: string): string[] {
  return text.split(/[\s,]+/).filter(each => each !== '');
}

/** The system's place for application data that stay on this machine; on Windows where a former version began them, if it did. */
export function defaultFolder(
  variables: Record<string, string | undefined>,
  platform: NodeJS.Platform = process.platform,
  isThere: (path: string) => boolean = existsSync,
): string {
  const home = homedir();
  if (platform === 'win32') {
    const roaming = win32.join(variables.APPDATA ?? win32.join(home, 'AppData', 'Roaming'), 'Holdpoint');
    if (isThere(win32.join(roaming, 'holdpoint.db'))) return roaming;
    return win32.join(variables.LOCALAPPDATA ?? win32.join(home, 'AppData', 'Local'), 'Holdpoint');
  }
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Holdpoint');
  return join(variables.XDG_DATA_HOME ?? join(home, '.local', 'share'), 'holdpoint');
}
