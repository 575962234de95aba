import { closeSync, openSync, readdirSync, readSync, statfsSync, statSync } from 'node:fs';
import { arch, cpus, freemem, release, totalmem, uptime } from 'node:os';
import { basename, join } from 'node:path';
import { crashReportsIn } from '../app/crash-reports.ts';
import { FILE_VERSION, fileVersion } from '../store/migrations.ts';
import { openReadOnly } from '../store/open-read-only.ts';
import { PROGRAM_VERSION } from '../store/program-version.ts';
import type { Connection } from '../store/sqlite/connection.ts';
import { DATABASE_FILE } from '../store/verify/verify.ts';

const MIB = 2 ** 20;
/** Of each log, from its end. */
const LOG_BYTES = MIB;
/** What a value of these settings opens. */
const SECRETS = /TOKEN|PASSWORD|SECRET|KEY$/;
/** Tokens, codes, cookies and hashes look like this; ids and words of people do not. */
const SECRET_TEXT = /\b(?!holdpoint)[A-Za-z0-9_-]{32,}\b/g;
/** Ids of stations, commits and requests, which say where to look and open nothing. */
const ID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

const HEAD = `Holdpoint: what support needs to know of an installation.
It holds no record, no password, no key and no token. The log names users and addresses: read it before you send it on.`;

export interface SupportParts {
  /** The data folder. */
  folder: string;
  environment: Readonly<Record<string, string | undefined>>;
  now: Date;
  /** What `holdpoint verify` says, where it was asked; the text of the failure where it could not be read. */
  verified?: string | undefined;
  /** Whether the reports of crashes are in it, which was asked for: an error's words may name what was worked on. */
  hasCrashes?: boolean;
}

/**
 * A text for whoever helps: the program and the machine, the settings, the files, what the database counts, and the end of
 * the logs. Nothing is changed, and what cannot be read is said in its place: a report is wanted where things are broken.
 */
export function supportReport(parts: SupportParts): string {
  const { folder, now, verified, hasCrashes = false } = parts;
  const sections: [title: string, content: () => string][] = [
    ['Program', () => lines(programFacts(now))],
    ['Settings', () => lines(settingsOf(parts))],
    ['Files', () => filesIn(folder)],
    ['Database', () => lines(databaseFacts(join(folder, DATABASE_FILE)))],
    ...(verified === undefined ? [] : [['Check of the data', () => verified] as [string, () => string]]),
    ...(hasCrashes ? crashReportsIn(folder) : []).map((file): [string, () => string] => [
      `Crash ${basename(file)}`,
      () => endOf(file),
    ]),
    ...logsIn(folder).map((file): [string, () => string] => [`Log ${basename(file)}`, () => endOf(file)]),
  ];
  const told = sections.map(([title, content]) => `== ${title}\n${attempted(content).trimEnd()}\n`);
  const text = [HEAD, '', ...told].join('\n');
  return withoutSecrets(text, parts.environment);
}

function programFacts(now: Date): [string, unknown][] {
  const { node, sqlite, electron } = process.versions;
  return [
    ['written', now.toISOString()],
    ['clock of the machine', now.toString()],
    ['Holdpoint', PROGRAM_VERSION],
    ['file version that it writes', FILE_VERSION],
    ['Node.js', node],
    ['SQLite', sqlite],
    ['Electron', electron ?? 'none'],
    ['system', `${process.platform} ${release()} ${arch()}`],
    ['processors', `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`],
    ['memory', `${Math.round(freemem() / MIB)} of ${Math.round(totalmem() / MIB)} MiB free`],
    ['machine up for', `${Math.round(uptime() / 60)} minutes`],
  ];
}

function settingsOf({ folder, environment }: SupportParts): [string, unknown][] {
  const named = Object.entries(environment)
    .filter(([name, value]) => /^HOLDPOINT_|^(?:HTTPS?|NO)_PROXY$/i.test(name) && value)
    .sort(([one], [other]) => one.localeCompare(other));
  const shown = named.map(([name, value = '']): [string, unknown] => [
    name,
    SECRETS.test(name) ? 'is set' : withoutCredentials(value),
  ]);
  return [['data folder', folder], ...shown];
}

/** Of an address, also of one that is written wrongly: a password may hold any sign, and the scheme may be left out. */
function withoutCredentials(value: string): string {
  return value.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1(name and password)@');
}

/** Names, sizes and times, without those of backups that have their own folder elsewhere. */
function filesIn(folder: string): string {
  const { bavail, blocks, bsize } = statfsSync(folder);
  const free = `${Math.round((bavail * bsize) / MIB)} of ${Math.round((blocks * bsize) / MIB)} MiB free`;
  const rows = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map(name => {
      const found = statSync(join(folder, name), { throwIfNoEntry: false });
      const size = found?.isDirectory() ? 'folder' : String(found?.size ?? 'gone');
      return `${size.padStart(14)}  ${found?.mtime.toISOString() ?? ''}  ${name}`;
    });
  return [free, ...rows].join('\n');
}

function databaseFacts(file: string): [string, unknown][] {
  const sql = openReadOnly(file);
  try {
    return [
      ['file version', fileVersion(sql)],
      ['written by', one(sql, "SELECT value FROM local WHERE name = 'program'")],
      ['commits', one(sql, 'SELECT count(*) FROM history')],
      ['last commit', one(sql, 'SELECT at FROM history ORDER BY sequence DESC LIMIT 1')],
      ['chains', one(sql, 'SELECT count(DISTINCT chain) FROM history')],
      ['free pages', one(sql, 'SELECT freelist_count FROM pragma_freelist_count')],
      ...counted(sql),
    ];
  } finally {
    sql.close();
  }
}

/** Rows of each table that is no index of words. */
function counted(sql: Connection): [string, unknown][] {
  return sql
    .all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .filter(({ name }) => !/^(?:sqlite|search_index)_/.test(name))
    .map(({ name }) => [`rows of ${name}`, one(sql, `SELECT count(*) FROM "${name}"`)]);
}

function one(sql: Connection, query: string): string {
  return attempted(() => String(Object.values(sql.get<Record<string, unknown>>(query) ?? {})[0] ?? 'none'));
}

function logsIn(folder: string): string[] {
  const logs = join(folder, 'logs');
  try {
    const names = readdirSync(logs).filter(name => /^holdpoint(?:\.\d+)?\.log$/.test(name));
    return names.sort().map(name => join(logs, name));
  } catch {
    // A service writes to the system's log.
    return [];
  }
}

function endOf(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = statSync(file);
    const bytes = Buffer.alloc(Math.min(size, LOG_BYTES));
    const read = readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
    const text = bytes.toString('utf8', 0, read);
    return size > LOG_BYTES ? `…${text.slice(text.indexOf('\n'))}` : text;
  } finally {
    closeSync(descriptor);
  }
}

/** Values of secret settings wherever they stand, and whatever has the look of a token. */
function withoutSecrets(text: string, environment: SupportParts['environment']): string {
  const known = Object.entries(environment).flatMap(([name, value]) =>
    SECRETS.test(name) && value && value.length >= 4 ? [value] : [],
  );
  const named = known.reduce((without, value) => without.replaceAll(value, '(secret)'), text);
  return named.replace(SECRET_TEXT, found => (ID.test(found) ? found : '(long text)'));
}

function lines(facts: readonly [string, unknown][]): string {
  return facts.map(([name, value]) => `${name}: ${String(value)}`).join('\n');
}

function attempted(read: () => string): string {
  try {
    return read();
  } catch (error) {
    return `(cannot be read: ${error instanceof Error ? error.message : String(error)})`;
  }
}
