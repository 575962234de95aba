import { checksumOf } from './sqlite/checksum.ts';
import type { Database } from './sqlite/database.ts';

/**
 * What belongs to users and is no record: it stands in no history, export or answer. The hash of a password goes from
 * central to the stations where that person signs in, beside the records, and never back; so does the person's key. Sessions
 * stay on the machine. `failed_attempts` is of files of before: nothing reads or writes it.
 */
export const IDENTITY_TABLES = `
CREATE TABLE IF NOT EXISTS user_secret (
  user_id INTEGER PRIMARY KEY, hash TEXT NOT NULL, version INTEGER NOT NULL, changed_at TEXT NOT NULL, seal INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS former_secret (
  user_id INTEGER PRIMARY KEY, hashes TEXT NOT NULL, seal INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS user_key (
  user_id INTEGER PRIMARY KEY, public_key TEXT NOT NULL, sealed TEXT NOT NULL, version INTEGER NOT NULL,
  changed_at TEXT NOT NULL, seal INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS session (
  hash TEXT PRIMARY KEY, user_id INTEGER NOT NULL, created_at TEXT NOT NULL, used_at TEXT NOT NULL,
  is_locked INTEGER NOT NULL, seal INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS session_key (
  hash TEXT PRIMARY KEY, certificate TEXT NOT NULL, sealed TEXT NOT NULL, seal INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS session_place (
  hash TEXT PRIMARY KEY, address TEXT NOT NULL, agent TEXT NOT NULL, seal INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS session_hand (
  hash TEXT PRIMARY KEY, user_id INTEGER NOT NULL, sealed TEXT NOT NULL, pin TEXT NOT NULL, badge TEXT NOT NULL,
  wrong INTEGER NOT NULL, strays INTEGER NOT NULL, is_held INTEGER NOT NULL, kept_until TEXT NOT NULL, seal INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS failed_attempts (
  user_id INTEGER PRIMARY KEY, count INTEGER NOT NULL, ends_at TEXT NOT NULL, seal INTEGER NOT NULL
);
`;

/** The hash of a user's password. Of two, the one with the higher version holds, then the later, then the greater hash. */
export interface UserSecret {
  user_id: number;
  hash: string;
  version: number;
  changed_at: string;
}

/** Hashes of passwords that a user had before, as a JSON array with the last one first; where passwords are set, and nowhere else. */
export interface FormerSecret {
  user_id: number;
  hashes: string;
}

/** A user's key to sign with. `version` and `changed_at` are those of the secret whose password seals it. */
export interface UserKey {
  user_id: number;
  public_key: string;
  sealed: string;
  version: number;
  changed_at: string;
}

/** A browser's session: the SHA-256 of what its cookie holds. */
export interface SessionRow {
  hash: string;
  user_id: number;
  created_at: string;
  used_at: string;
  is_locked: 0 | 1;
}

/** The key by which a session signs, sealed by what its cookie holds, and as JSON that the person lets it. */
export interface SessionKeyRow {
  hash: string;
  certificate: string;
  sealed: string;
}

/** Where a session began: the address in the network, and what the browser calls itself. */
export interface SessionPlace {
  hash: string;
  address: string;
  agent: string;
}

/**
 * What resumes a session beside the password. `pin` and `badge` are what a key makes of them that lies in `sealed`, which only
 * what the session's cookie holds opens: the file alone says nothing of them. Empty: there is none.
 */
export interface SessionHand {
  hash: string;
  user_id: number;
  sealed: string;
  pin: string;
  badge: string;
  /** Wrong ones since the last right one. */
  wrong: number;
  /** Codes that nobody's badge here has, since the last right one. */
  strays: number;
  /** It resumes nothing until the password was given. */
  is_held: 0 | 1;
  /** For who signs in again in that browser. ISO 8601 UTC. */
  kept_until: string;
}

/** The tables of users and the columns that their checksums cover, in this order. */
export const SEALED_IDENTITY = {
  user_secret: ['user_id', 'hash', 'version', 'changed_at'],
  former_secret: ['user_id', 'hashes'],
  user_key: ['user_id', 'public_key', 'sealed', 'version', 'changed_at'],
  session: ['hash', 'user_id', 'created_at', 'used_at', 'is_locked'],
  session_key: ['hash', 'certificate', 'sealed'],
  session_place: ['hash', 'address', 'agent'],
  session_hand: ['hash', 'user_id', 'sealed', 'pin', 'badge', 'wrong', 'strays', 'is_held', 'kept_until'],
  failed_attempts: ['user_id', 'count', 'ends_at'],
} as const;

type Table = keyof typeof SEALED_IDENTITY;
type Row = UserSecret | FormerSecret | UserKey | SessionRow | SessionKeyRow | SessionPlace | SessionHand;

export type IdentityTables = ReturnType<typeof identityTables>;

/** Reads see what is committed; writes belong into a transaction of the write gate. */
export function identityTables(database: Database) {
  const checked = <Each extends Row>(table: Table, row: (Each & { seal: number }) | undefined) => {
    if (row === undefined) return undefined;
    const { seal, ...rest } = row;
    if (checksumOfRow(table, rest) !== seal)
      throw database.damaged(`A row of ${table} is not what was written.`);
    return rest as unknown as Each;
  };
  const put = (table: Table, row: Row) => putRow(database, table, row);
  const { reader } = database;
  const forgetKeys = () => {
    // One whose key is pending has signed what its person is still to stand for.
    database.run(
      `DELETE FROM session_key WHERE hash NOT IN (SELECT hash FROM session) AND json_extract(certificate, '$.proof') <> ''`,
    );
    database.run('DELETE FROM session_place WHERE hash NOT IN (SELECT hash FROM session)');
  };
  const pendingSessions = (where: string, ...values: (string | number)[]) =>
    database
      .all<SessionRow & { seal: number }>(`SELECT * FROM session WHERE ${where}`, ...values)
      .flatMap(row => checked<SessionRow>('session', row) ?? []);
  return {
    secret: (user: number) =>
      checked<UserSecret>('user_secret', reader.get('SELECT * FROM user_secret WHERE user_id = ?', user)),
    secrets: () =>
      reader
        .all<UserSecret & { seal: number }>('SELECT * FROM user_secret ORDER BY user_id')
        .flatMap(row => checked<UserSecret>('user_secret', row) ?? []),
    /** Another text whenever one of the rows is another one. */
    secretsMark: () =>
      JSON.stringify(
        reader.get('SELECT count(*) AS n, sum(user_id) AS users, sum(seal) AS seals FROM user_secret'),
      ),
    /** As the open transaction sees it. */
    pendingSecret: (user: number) =>
      checked<UserSecret>('user_secret', database.get('SELECT * FROM user_secret WHERE user_id = ?', user)),
    putSecret: (row: UserSecret) => put('user_secret', row),
    formerSecret: (user: number) =>
      checked<FormerSecret>(
        'former_secret',
        reader.get('SELECT * FROM former_secret WHERE user_id = ?', user),
      ),
    putFormerSecret: (row: FormerSecret) => put('former_secret', row),
    /**
     * In a transaction: nothing of passwords is left here but these hashes and the keys that they seal, in no free part of the file
     * either. Of somebody who is `kept` all stays as it is.
     */
    leaveSecrets(rows: readonly UserSecret[], isKept: (user: number) => boolean) {
      const stay = database
        .all<UserSecret & { seal: number }>('SELECT * FROM user_secret')
        .flatMap(row => checked<UserSecret>('user_secret', row) ?? [])
        .filter(({ user_id: user }) => isKept(user) && !rows.some(row => row.user_id === user));
      const all = [...rows, ...stay];
      const keys = database
        .all<UserKey & { seal: number }>('SELECT * FROM user_key')
        .flatMap(row => checked<UserKey>('user_key', row) ?? [])
        .filter(key => all.some(row => row.user_id === key.user_id && isSealedBy(key, row)));
      overwriting(database, () => {
        for (const table of ['user_secret', 'former_secret', 'user_key'])
          database.exec(`DELETE FROM ${table}`);
        for (const row of all) put('user_secret', row);
        for (const key of keys) put('user_key', key);
      });
    },

    userKey: (user: number) =>
      checked<UserKey>('user_key', reader.get('SELECT * FROM user_key WHERE user_id = ?', user)),
    putUserKey: (row: UserKey) => put('user_key', row),

    session: (hash: string) =>
      checked<SessionRow>('session', reader.get('SELECT * FROM session WHERE hash = ?', hash)),
    sessions: () =>
      reader
        .all<SessionRow & { seal: number }>('SELECT * FROM session')
        .flatMap(row => checked<SessionRow>('session', row) ?? []),
    /** As the open transaction sees them: of a user, and those that were not used since, or began before. */
    pendingSessionsOf: (user: number) => pendingSessions('user_id = ?', user),
    pendingSessionsOver: (unused: string, begun: string) =>
      pendingSessions('used_at < ? OR created_at < ?', unused, begun),
    pendingSession: (hash: string) => pendingSessions('hash = ?', hash),
    putSession: (row: SessionRow) => put('session', row),
    endSession(hash: string) {
      database.run('DELETE FROM session WHERE hash = ?', hash);
      database.run('DELETE FROM session_hand WHERE hash = ?', hash);
      forgetKeys();
    },
    /** Its time is over. What resumed it stays for who signs in again in that browser. */
    expireSession(hash: string) {
      database.run('DELETE FROM session WHERE hash = ?', hash);
      forgetKeys();
    },
    place: (hash: string) =>
      checked<SessionPlace>('session_place', reader.get('SELECT * FROM session_place WHERE hash = ?', hash)),
    putPlace: (row: SessionPlace) => put('session_place', row),
    hand: (hash: string) =>
      checked<SessionHand>('session_hand', reader.get('SELECT * FROM session_hand WHERE hash = ?', hash)),
    hands: () =>
      reader
        .all<SessionHand & { seal: number }>('SELECT * FROM session_hand')
        .flatMap(row => checked<SessionHand>('session_hand', row) ?? []),
    putHand: (row: SessionHand) => put('session_hand', row),
    removeHand: (hash: string) => database.run('DELETE FROM session_hand WHERE hash = ?', hash),
    forgetHandsBefore: (moment: string) =>
      database.run('DELETE FROM session_hand WHERE kept_until < ?', moment),
    sessionKey: (hash: string) =>
      checked<SessionKeyRow>('session_key', reader.get('SELECT * FROM session_key WHERE hash = ?', hash)),
    sessionKeys: () =>
      reader
        .all<SessionKeyRow & { seal: number }>('SELECT * FROM session_key')
        .flatMap(row => checked<SessionKeyRow>('session_key', row) ?? []),
    forgetKeys,
    putSessionKey: (row: SessionKeyRow) => put('session_key', row),

    afterCommit: (listener: () => void) => database.afterCommit(listener),
  };
}

/** What `work` deletes is overwritten: it stays readable in the file otherwise, until something else is written there. */
export function overwriting(database: Pick<Database, 'exec'>, work: () => void): void {
  database.exec('PRAGMA secure_delete = ON');
  try {
    work();
  } finally {
    database.exec('PRAGMA secure_delete = OFF');
  }
}

/** Whether the password of this hash opens the key. */
function isSealedBy(key: UserKey, secret: UserSecret): boolean {
  return key.version === secret.version && key.changed_at === secret.changed_at;
}

export function checksumOfRow(table: Table, row: object): number {
  return checksumOf(JSON.stringify(valuesOf(table, row)));
}

function putRow(database: Database, table: Table, row: Row): void {
  const columns = SEALED_IDENTITY[table];
  const places = columns.map(() => '?').join(', ');
  database.run(
    `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}, seal) VALUES (${places}, ?)`,
    ...valuesOf(table, row),
    checksumOfRow(table, row),
  );
}

function valuesOf(table: Table, row: object): (string | number)[] {
  return SEALED_IDENTITY[table].map(column => Reflect.get(row, column) as string | number);
}
