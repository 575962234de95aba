import {
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../shared/contract/errors.ts';
import { syncFolder } from '../store/marks.ts';
import { openReadOnly } from '../store/open-read-only.ts';
import { copyDatabase } from '../store/restore/copy-database.ts';
import { refuseUnfinishedRestore } from '../store/restore/restore-mark.ts';
import { FolderLock } from '../store/sqlite/lock.ts';
import { DATABASE_FILE, type VerifyOptions, verify } from '../store/verify/verify.ts';

export interface MoveOptions extends VerifyOptions {
  /** The data folder that is left, and the one that is moved to; no other process may use either. */
  from: string;
  to: string;
  clock: () => Date;
}

export interface MoveReport {
  records: number;
  commits: number;
  /** The database as it was left, in the former folder. */
  left: string;
  /** What the new folder had of a fresh installation; null where it had none. */
  aside: string | null;
}

const WAIT_MS = 3_000;
/** Of a run of the server, of the app of one person, or made again. */
const STAYS = new Set([
  'lock.db',
  'own-address',
  'owner-credential',
  'reserve',
  'desktop',
  'logs',
  'moving',
  'moving.json',
]);
const STAYS_TOO = /^holdpoint(-moved-.*|-set-aside-.*)?\.db(-wal|-shm)?$|\.part$/;
/** Whose commits an installation has that nobody has worked with. */
const BY_ITSELF = ['setup', 'audit-trail'];

const markSchema = z.object({
  from: z.string(),
  left: z.string(),
  aside: z.string(),
  records: z.number(),
  commits: z.number(),
});
type Mark = z.infer<typeof markSchema>;

/**
 * Moves an installation, what stations and central know it by included, into another data folder: a copy is verified there
 * first, then the former database is set aside, so that never two folders go on as one station, and only then the copy takes
 * its place. Cut off at any moment, nothing is lost, and the same call goes on. Moving back is the same the other way round.
 * @throws AppError `not_found`, `conflict` where the new folder has records of its own, the copy is not whole, or a link is in
 *   the way; `unavailable` while a process uses one of the folders
 */
export async function moveInstallation(options: MoveOptions): Promise<MoveReport> {
  const [from, to] = [resolve(options.from), resolve(options.to)];
  if (from === to) throw new AppError('validation_failed', `${from} is the folder itself. Give another one.`);
  for (const folder of [from, to]) {
    if (!existsSync(folder)) throw new AppError('not_found', `There is no folder ${folder}.`);
    refuseUnfinishedRestore(folder);
  }
  const locks = [from, to].map(folder => {
    const lock = new FolderLock(folder, WAIT_MS);
    giveTo(join(folder, 'lock.db'), folder);
    return lock;
  });
  try {
    const mark = cutOffMove(from, to) ?? (await copied(from, to, options));
    setAside(join(from, DATABASE_FILE), mark.left);
    syncFolder(from);
    const part = join(to, 'moving');
    const present = join(to, DATABASE_FILE);
    if (existsSync(join(part, DATABASE_FILE))) {
      setAside(present, mark.aside);
      for (const name of readdirSync(part))
        if (name !== DATABASE_FILE) place(join(part, name), join(to, name));
      syncFolder(to);
      renameSync(join(part, DATABASE_FILE), present);
      syncFolder(to);
    }
    rmSync(part, { recursive: true, force: true });
    rmSync(markIn(to), { force: true });
    const { left, aside, records, commits } = mark;
    return { records, commits, left, aside: existsSync(aside) ? aside : null };
  } finally {
    for (const lock of locks) lock.release();
  }
}

const markIn = (to: string) => join(to, 'moving.json');

/** One that had its copy whole when it ended. */
function cutOffMove(from: string, to: string): Mark | undefined {
  if (!existsSync(markIn(to))) return undefined;
  const mark = markSchema.parse(JSON.parse(readFileSync(markIn(to), 'utf8')));
  if (mark.from === from) return mark;
  throw new AppError('conflict', `A move from ${mark.from} to ${to} was cut off. Run that one again first.`);
}

async function copied(from: string, to: string, options: MoveOptions): Promise<Mark> {
  const database = join(from, DATABASE_FILE);
  if (!existsSync(database))
    throw new AppError(
      'not_found',
      `There is no database ${database}. Give the data folder of an installation.`,
    );
  refuseWorkedWith(to);
  const part = join(to, 'moving');
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { mode: 0o700 });
  for (const name of readdirSync(from)) {
    if (!STAYS.has(name) && !STAYS_TOO.test(name)) copy(join(from, name), join(part, name));
  }
  copyDatabase(database, join(part, DATABASE_FILE));
  const report = await verify(part, options);
  const [first] = report.findings;
  if (first !== undefined) {
    rmSync(part, { recursive: true });
    throw new AppError(
      'conflict',
      `${database} is not whole and was not moved: ${first.what} (${first.where}) Run holdpoint verify, and holdpoint restore.`,
    );
  }
  for (const each of readdirSync(part, { recursive: true, encoding: 'utf8' })) giveTo(join(part, each), to);
  syncFolder(part);
  const stamp = options.clock().toISOString().replace(/[-:.]/g, '');
  const { records, commits } = report;
  const left = join(from, `holdpoint-moved-${stamp}.db`);
  const mark: Mark = { from, left, aside: join(to, `holdpoint-set-aside-${stamp}.db`), records, commits };
  writeFileSync(markIn(to), `${JSON.stringify(mark)}\n`, { mode: 0o600, flush: true });
  syncFolder(to);
  return mark;
}

/** An installation that was only started has written no more than its first records and what it notes of itself. */
function refuseWorkedWith(folder: string): void {
  const file = join(folder, DATABASE_FILE);
  if (!existsSync(file)) return;
  const sql = openReadOnly(file);
  try {
    const marks = BY_ITSELF.map(() => '?').join(', ');
    const found = sql.get<{ commits: number }>(
      `SELECT count(*) AS commits FROM history WHERE user NOT IN (${marks})`,
      ...BY_ITSELF,
    );
    if (!found?.commits && !existsSync(join(folder, 'station.key'))) return;
    throw new AppError(
      'conflict',
      `${folder} has been worked with (${found?.commits ?? 0} commits): two installations do not become one. Enrol both at a central, or move its holdpoint.db away first.`,
    );
  } finally {
    sql.close();
  }
}

/** @throws AppError for what is neither a file nor a folder: who may write there could have other files read by that. */
function copy(from: string, to: string): void {
  const stats = lstatSync(from);
  if (stats.isDirectory()) {
    mkdirSync(to, { mode: stats.mode & 0o777 });
    for (const name of readdirSync(from)) copy(join(from, name), join(to, name));
    return;
  }
  if (!stats.isFile() || stats.nlink > 1)
    throw new AppError(
      'conflict',
      `${from} is a link, or no file. Take it out of the folder, and move again.`,
    );
  copyFileSync(from, to);
  utimesSync(to, stats.atime, stats.mtime);
}

/** What the other folder has of the same name is replaced; its further files stay. */
function place(from: string, to: string): void {
  const isFolder = statSync(from).isDirectory();
  if (isFolder && existsSync(to))
    for (const name of readdirSync(from)) place(join(from, name), join(to, name));
  else renameSync(from, to);
}

/** With its log, where a server was killed. */
function setAside(database: string, aside: string): void {
  for (const end of ['-wal', '-shm', '']) {
    if (existsSync(database + end)) renameSync(database + end, aside + end);
  }
}

/** To whom the folder belongs: an administrator moves, and others work with it. Windows hands its rights down by itself. */
export function giveTo(path: string, folder: string): void {
  if (process.platform === 'win32' || !existsSync(path)) return;
  const { uid, gid } = statSync(folder);
  chownSync(path, uid, gid);
}
