import { verifyDependencies as proof } from '../../../server/backup/verify-dependencies.ts';
import {
  FILE_VERSION,
  fileVersion,
  type Migration,
  migrate,
  migrations,
} from '../../../server/store/migrations.ts';
import { backUpBefore } from '../../../server/store/restore/backup.ts';
import { Database } from '../../../server/store/sqlite/database.ts';

/** Where a process can end by `kill -9`. */
export const MOMENTS = [
  'before the backup',
  'before',
  'in the first step',
  'between',
  'in the last step',
  'after',
] as const;
export type Moment = (typeof MOMENTS)[number];

const ROWS = 2_000;

/** This version's steps and two more, which write enough that the log holds much of them before they end. */
export function plantedSteps(on: (moment: Moment) => void): Migration[] {
  const next = migrations.length + 1;
  return [
    ...migrations,
    {
      version: next,
      name: 'plant a table',
      run(sql) {
        sql.exec('CREATE TABLE planted (n INTEGER PRIMARY KEY, text TEXT NOT NULL)');
        for (let n = 0; n < ROWS; n += 1) sql.run('INSERT INTO planted VALUES (?, ?)', n, 'x'.repeat(2_000));
        on('in the first step');
      },
    },
    {
      version: next + 1,
      name: 'halve it',
      run(sql) {
        on('between');
        sql.exec('DELETE FROM planted WHERE n % 2 = 1; ALTER TABLE planted ADD COLUMN more TEXT');
        on('in the last step');
      },
    },
  ];
}

/** What the planted steps leave. */
export const PLANTED_ROWS = ROWS / 2;

/** `node migrating-child.ts FOLDER MOMENT` ends itself there. */
export async function migratePlanted(folder: string, on: (moment: Moment) => void): Promise<string[]> {
  const told: string[] = [];
  const database = Database.open({ folder });
  try {
    await migrate({
      database,
      steps: plantedSteps(on),
      tell: doing => told.push(doing),
      async backUp() {
        on('before the backup');
        // The check takes no file of a later version, as which it sees one between the planted steps.
        const isPlanted = fileVersion(database) > FILE_VERSION;
        const at = new Date().toISOString();
        const backup = isPlanted ? { file: 'none' } : await backUpBefore({ data: folder, at }, proof);
        on('before');
        return backup;
      },
    });
    on('after');
  } finally {
    database.close();
  }
  return told;
}

if (import.meta.main) {
  const [folder = '', wanted] = process.argv.slice(2);
  await migratePlanted(folder, moment => {
    if (moment === wanted) process.kill(process.pid, 'SIGKILL');
  });
}
