import { existsSync } from 'node:fs';
import { arch, hostname, release, type as systemType } from 'node:os';
import { join } from 'node:path';
import { openReadOnly } from '../store/open-read-only.ts';
import { PROGRAM_VERSION } from '../store/program-version.ts';
import { isSqliteError } from '../store/sqlite/sqlite-error.ts';
import { readLocal } from '../store/tables.ts';
import { DATABASE_FILE, RECORDS_TABLE } from '../store/verify/verify.ts';
import type { Found } from '../validation/report.ts';
import type { ValidatedConfig } from '../validation/work.ts';
import { lookAtFiles, ownProgramFiles } from './program-files.ts';
import { type QualifyOptions, qualify } from './qualify.ts';
import { requirements } from './requirements.ts';

export interface FindOptions extends Pick<QualifyOptions, 'scratch' | 'onProgress' | 'signal'> {
  config: ValidatedConfig;
}

/** All requirements at this installation, and what it is. */
export async function findAll({ config, ...options }: FindOptions): Promise<Found> {
  const clock = () => new Date();
  const program = ownProgramFiles();
  const { node, sqlite = '', electron } = process.versions;
  const began = clock();
  const versions = { program: PROGRAM_VERSION, node, sqlite };
  const tried = await qualify({
    ...options,
    requirements,
    installation: { config, program, versions, clock },
  });
  const files = lookAtFiles(program);
  return {
    ...installationOf(config.folder),
    version: PROGRAM_VERSION,
    machine: {
      name: hostname(),
      system: `${systemType()} ${release()} ${arch()}`,
      runtime: `Node.js ${node}${electron === undefined ? '' : `, Electron ${electron}`}`,
      sqlite,
      data: config.folder,
    },
    files: files ? { count: files.count, sha256: files.sha256 } : null,
    began_at: began.toISOString(),
    ended_at: clock().toISOString(),
    requirements: tried,
  };
}

/** What the database calls itself; of one that cannot be read the requirements tell. */
function installationOf(folder: string): Pick<Found, 'installation' | 'company'> {
  const file = join(folder, DATABASE_FILE);
  if (!existsSync(file)) return { installation: '', company: '' };
  const sql = openReadOnly(file);
  try {
    const row = sql.get<{ document: string }>(
      `SELECT document FROM "${RECORDS_TABLE}" WHERE key = 'company:1'`,
    );
    const name: unknown = row && JSON.parse(row.document).fields?.name;
    return { installation: readLocal(sql, 'station') ?? '', company: typeof name === 'string' ? name : '' };
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    return { installation: '', company: '' };
  } finally {
    sql.close();
  }
}
