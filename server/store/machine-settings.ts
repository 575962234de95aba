import { MACHINE_SETTING_DEFAULTS } from '../../shared/families/setting.ts';
import type { Database } from './sqlite/database.ts';
import { readLocal, writeLocal } from './tables.ts';

/** What belongs to this machine and not to the site: no record, never synced. */
export interface MachineSettings {
  /** The whole path of a folder; null: none but the data folder. */
  backup_folder: string | null;
  backup_keep: number;
  /** So many days after a restore was practised it is due again; 0: never. */
  backup_drill_days: number;
  /** Plain backups are meant, and nobody is reminded of them. */
  is_backup_plain: boolean;
  /** Encrypted backups go to central too. */
  sends_backups: boolean;
  /** At central: how many backups of each station stay, and for how many days; 0 takes none, or keeps them for ever. */
  station_backups_keep: number;
  station_backups_days: number;
  /** Origins of other servers, whose pages may call with a token. */
  web_origins: readonly string[];
}

const NAME = 'machine_settings';

/** Defaults until somebody changes one. */
export function machineSettings(sql: Pick<Database, 'get'>): MachineSettings {
  const text = readLocal(sql, NAME);
  return { ...MACHINE_SETTING_DEFAULTS, ...(text === undefined ? {} : JSON.parse(text)) };
}

/** In a transaction: changes those that are named; null is the default again. */
export function writeMachineSettings(
  sql: Pick<Database, 'get' | 'run'>,
  changes: Readonly<Record<string, unknown>>,
): void {
  const known: Record<string, unknown> = JSON.parse(readLocal(sql, NAME) ?? '{}');
  const named = Object.keys(MACHINE_SETTING_DEFAULTS).filter(name => changes[name] !== undefined);
  for (const name of named) {
    if (changes[name] === null) delete known[name];
    else known[name] = changes[name];
  }
  writeLocal(sql, NAME, JSON.stringify(known));
}
