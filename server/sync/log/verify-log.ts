import { sameJson } from '../../../shared/contract/canonical-json.ts';
import { AppError } from '../../../shared/contract/errors.ts';
import type { StoredRecord } from '../../../shared/contract/present.ts';
import { type Commit, OwnCopies } from '../../store/changes.ts';
import { readCommit, readNamed, sequenceOf } from '../../store/history.ts';
import { fileVersion, PEOPLE_AT_CENTRAL } from '../../store/migrations.ts';
import { stateOf } from '../../store/unit-of-work.ts';
import { remedies } from '../../store/verify/findings.ts';
import { authorFault } from '../../store/verify/verify-author.ts';
import type { ExchangeVerifier, VerifyContext } from '../../store/verify/verify-context.ts';
import type { Decision, Rules, SubjectEffects } from '../protocol/decide.ts';
import { LOG_START, type LogPlace, logFault } from '../protocol/log.ts';
import { connected } from '../protocol/overlay.ts';
import { plain } from './decided-store.ts';
import { digestsOf, hashOf } from './digest.ts';
import { foldEffects, withState } from './fold.ts';
import { decisionsOf, sha256 } from './log.ts';
import { meantIn } from './meant-records.ts';
import { withPlace } from './place-of-record.ts';
import { syncRules } from './rules.ts';
import { shownOf } from './shown.ts';
import { verifyArchives } from './verify-archives.ts';
import { verifyEarlier } from './verify-earlier.ts';
import { givenVerifier } from './verify-given.ts';
import { verifyMoved } from './verify-moved.ts';

interface EffectRow {
  subject: string;
  sequence: number;
  chain: string;
  number: number;
  outcome: Decision['outcome'];
  effects: string;
}

const MODULUS = 2n ** 128n;

/**
 * Proves a store that exchanges commits with others: the log is whole, every decided record is the fold of the log, what
 * is shown is that with the undecided commits on top, and the digests are those of the decided records.
 */
export const exchangeVerifier: ExchangeVerifier = {
  isUsed: ({ sql }) =>
    sql.get("SELECT 1 FROM sqlite_schema WHERE name = 'log'") !== undefined &&
    (sql.get('SELECT 1 FROM main.log LIMIT 1') !== undefined ||
      sql.get('SELECT 1 FROM main.own_chain LIMIT 1') !== undefined),
  gaps({ sql }) {
    if (isFoldOfLog({ sql })) return () => false;
    const own = sql.get<{ value: string }>("SELECT value FROM main.local WHERE name = 'chain'")?.value;
    return chain => chain !== own;
  },
  async verify(context, onSound) {
    await spreadLog(context);
    await (isFoldOfLog(context) ? verifyDecided(context, onSound) : verifyTaken(context, onSound));
    await verifyCovered(context, onSound);
    verifyStrays(context);
    await verifyMoved(context);
    await verifyArchives(context);
    await verifyEarlier(context);
  },
};

/** Walks the log once and leaves what it says of each record in `temp.effect`. */
async function spreadLog(context: VerifyContext): Promise<void> {
  const { sql, findings, step } = context;
  sql.exec(`CREATE TEMP TABLE effect (
    subject TEXT NOT NULL, sequence INTEGER NOT NULL, ordinal INTEGER NOT NULL, chain TEXT NOT NULL,
    number INTEGER NOT NULL, outcome TEXT NOT NULL, effects TEXT NOT NULL,
    PRIMARY KEY (subject, sequence, ordinal)) WITHOUT ROWID`);
  const rows = sql.iterate<LogPlace & { chain: string; number: number; decisions: string }>(
    'SELECT * FROM main.log WHERE sequence > ? ORDER BY sequence',
    startOf(sql).sequence,
  );
  let before = startOf(sql);
  for (const row of rows) {
    const where = `entry ${row.sequence} of the log`;
    const commit = wholeCommit(sql, row.chain, row.number);
    if (!commit) {
      findings.add(
        'The commit of an entry of the log is not there, or not what was written.',
        where,
        remedies.restore,
      );
      before = row;
      continue;
    }
    const decisions = decisionsOf(row, commit);
    const fault = logFault(before, [{ sequence: row.sequence, hash: row.hash, commit, decisions }], sha256);
    if (fault) findings.add(fault, where, remedies.restore);
    const isTaken = decisions[0]?.outcome === 'applied';
    const odd = isTaken ? (authorFault(context, commit) ?? contradictionIn(sql, commit)) : undefined;
    if (odd !== undefined) findings.add(odd, where, remedies.restore);
    before = row;
    let ordinal = 0;
    for (const { commit_id, outcome, effects } of decisions) {
      const place = commit_id === commit.commit_id ? row : placeOf(sql, commit_id);
      for (const effect of effects) {
        ordinal += 1;
        sql.run(
          'INSERT INTO temp.effect VALUES (?, ?, ?, ?, ?, ?, ?)',
          effect.subject,
          row.sequence,
          ordinal,
          place?.chain ?? '',
          place?.number ?? 0,
          outcome,
          JSON.stringify(effect),
        );
      }
    }
    await step('entries of the log', row.sequence);
  }
}

/** People sign which history they have before them: whoever rewrites it afterwards cannot rewrite that. */
function contradictionIn(sql: VerifyContext['sql'], { authorship }: Commit): string | undefined {
  const { epoch, sequence, hash } = authorship?.seen ?? {};
  const present = sql.get<{ value: string }>("SELECT value FROM main.local WHERE name = 'epoch'")?.value;
  const cursor = sql.get<{ value: string }>("SELECT value FROM main.local WHERE name = 'cursor'")?.value;
  if (epoch !== (present ?? (cursor && JSON.parse(cursor).epoch)) || sequence === undefined) return undefined;
  const stood = sql.get<{ hash: string }>('SELECT hash FROM main.log WHERE sequence = ?', sequence)?.hash;
  return stood === undefined || stood === hash
    ? undefined
    : `Its author has signed that the log had another entry ${sequence}: history was rewritten since.`;
}

/** Calls `onSound` for every record that no undecided commit covers. */
async function verifyDecided(context: VerifyContext, onSound: (key: string) => void): Promise<void> {
  const { sql, findings } = context;
  const sums = new Map<string, bigint>();
  const verifyGiven = givenVerifier(context);
  let count = 0;
  const end = (key: string, folded: StoredRecord | undefined) => {
    if (!folded) return;
    const decided = withState(folded);
    const isCovered = isUndecided(context, key);
    const stored = isCovered ? keptApart(context, key) : decidedRecord(context, key);
    addTo(sums, decided);
    verifyGiven(decided);
    if (!stored || !sameJson(plain(stored), decided)) {
      findings.add('A record is not what the log says.', `record ${key}`, remedies.restore);
    } else if (!isCovered) onSound(key);
  };
  let key = '';
  let decided: StoredRecord | undefined;
  let own = new OwnCopies();
  for (const row of sql.iterate<EffectRow>('SELECT * FROM temp.effect ORDER BY subject, sequence, ordinal')) {
    if (row.subject !== key) {
      end(key, decided);
      decided = undefined;
      own = new OwnCopies();
      key = row.subject;
      count += 1;
      await context.step('records', count);
    }
    const commit = wholeCommit(sql, row.chain, row.number);
    if (!commit) continue;
    const effect: SubjectEffects = JSON.parse(row.effects);
    decided = foldEffects(decided, effect, { commit, outcome: row.outcome, sequence: row.sequence }, own);
  }
  end(key, decided);
  verifyDigests(context, sums);
}

/** As `verifyDecided`, where records came in place of the log: each is what its hash says, all are what the digests say. */
async function verifyTaken(context: VerifyContext, onSound: (key: string) => void): Promise<void> {
  const { sql, findings, table } = context;
  const sums = new Map<string, bigint>();
  let count = 0;
  for (const { key } of sql.iterate<{ key: string }>(`SELECT key FROM main."${table}" ORDER BY key`)) {
    const isCovered = isUndecided(context, key);
    const stored = isCovered ? keptApart(context, key) : decidedRecord(context, key);
    count += 1;
    await context.step('records', count);
    if (!stored) continue;
    addTo(sums, stored);
    if (stateOf(stored.fields) !== stored.state) {
      findings.add('A record is not what was taken from central.', `record ${key}`, remedies.restore);
    } else if (!isCovered) onSound(key);
  }
  verifyDigests(context, sums);
}

function addTo(sums: Map<string, bigint>, record: StoredRecord): void {
  sums.set(record.family, ((sums.get(record.family) ?? 0n) + hashOf(record)) % MODULUS);
}

function verifyDigests({ sql, findings }: VerifyContext, sums: ReadonlyMap<string, bigint>): void {
  const expected = Object.fromEntries([...sums].map(([family, sum]) => [family, sum.toString(16)]));
  if (!sameJson(digestsOf(sql), expected)) {
    findings.add('The digests are not those of the decided records.', 'digest', remedies.restore);
  }
}

/** Calls `onSound` for every record that undecided commits cover. */
async function verifyCovered(context: VerifyContext, onSound: (key: string) => void): Promise<void> {
  const { sql, findings } = context;
  const subjects = sql.all<{ subject: string }>('SELECT DISTINCT subject FROM main.undecided_subject');
  const isCovered = (key: string) => isUndecided(context, key);
  const decidedOf = (key: string) => (isCovered(key) ? keptApart(context, key) : decidedRecord(context, key));
  const isWithdrawn = (id: string) =>
    sql.get('SELECT 1 FROM main.held WHERE commit_id = ? AND is_withdrawn = 1', id) !== undefined;
  const showing = { isWithdrawn, isMeant: meantIn(sql), rules: overlayRules(context) };
  const done = new Set<string>();
  for (const { subject } of subjects) {
    if (done.has(subject)) continue;
    const group = connected(
      [subject],
      key => undecidedOf(sql, key),
      commit => sequenceOf(sql, commit.chain, commit.number),
    );
    for (const [key, record] of shownOf(group, decidedOf, showing)) {
      done.add(key);
      if (!isCovered(key)) continue;
      const stored = shownRecord(context, key);
      // A place is of what is decided.
      const folded = record?.folded ?? 0;
      const isSame =
        record === undefined
          ? stored === undefined
          : stored && sameJson({ ...plain(stored), folded }, record);
      if (!isSame) {
        findings.add(
          'A record is not the log with the undecided commits on top.',
          `record ${key}`,
          remedies.restore,
        );
      } else if (stored) onSound(key);
    }
    await context.step('undecided records', done.size);
  }
}

/** An earlier version showed a station's own changes of users and settings before central had decided them. */
function overlayRules({ sql }: VerifyContext): Rules {
  return fileVersion(sql) < PEOPLE_AT_CENTRAL ? { ...syncRules, isForCentral: () => false } : syncRules;
}

function verifyStrays({ sql, findings, table }: VerifyContext): void {
  if (!isFoldOfLog({ sql })) return;
  const strays = sql.all<{ key: string }>(
    `SELECT key FROM main."${table}" AS r WHERE NOT EXISTS (SELECT 1 FROM temp.effect WHERE subject = r.key)
       AND NOT EXISTS (SELECT 1 FROM main.undecided_subject WHERE subject = r.key) LIMIT 100`,
  );
  for (const { key } of strays) {
    findings.add(
      'A record stands in no commit of the log or of this station.',
      `record ${key}`,
      remedies.restore,
    );
  }
}

/** Whether undecided commits are shown on top of a record. */
function isUndecided({ sql }: VerifyContext, key: string): boolean {
  return sql.get('SELECT 1 FROM main.undecided_subject WHERE subject = ? LIMIT 1', key) !== undefined;
}

/** Whether the log is there from its first entry, and no records are coming in its place. */
function isFoldOfLog({ sql }: Pick<VerifyContext, 'sql'>): boolean {
  return (
    startOf(sql).sequence === 0 && sql.get("SELECT 1 FROM main.local WHERE name = 'snapshot'") === undefined
  );
}

function shownRecord({ sql, table }: VerifyContext, key: string): StoredRecord | undefined {
  const row = sql.get<{ document: string }>(`SELECT document FROM main."${table}" WHERE key = ?`, key);
  return row && JSON.parse(row.document);
}

/** One that no undecided commit covers. */
function decidedRecord(context: VerifyContext, key: string): StoredRecord | undefined {
  return withPlace(context.sql, shownRecord(context, key));
}

function keptApart({ sql }: VerifyContext, key: string): StoredRecord | undefined {
  const row = sql.get<{ document: string }>('SELECT document FROM main.decided_record WHERE key = ?', key);
  return row && JSON.parse(row.document);
}

function undecidedOf(sql: VerifyContext['sql'], key: string): Commit[] {
  const rows = sql.all<{ chain: string; number: number; commit_id: string }>(
    `SELECT chain, number, commit_id FROM main.undecided_subject JOIN main.undecided USING (sequence)
     WHERE subject = ? ORDER BY sequence`,
    key,
  );
  return rows.flatMap(
    ({ chain, number, commit_id: id }) => whole(() => readNamed(sql, chain, number, id)) ?? [],
  );
}

function wholeCommit(sql: VerifyContext['sql'], chain: string, number: number): Commit | undefined {
  return whole(() => readCommit(sql, chain, number));
}

/** What is wrong with a commit is found where history is walked, and ends nothing here. */
function whole(read: () => Commit | undefined): Commit | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function placeOf(sql: VerifyContext['sql'], commit: string): { chain: string; number: number } | undefined {
  return (
    sql.get('SELECT chain, number FROM main.log WHERE commit_id = ? ORDER BY sequence LIMIT 1', commit) ??
    sql.get('SELECT chain, number FROM main.snapshot_commit WHERE commit_id = ?', commit)
  );
}

function startOf(sql: VerifyContext['sql']): LogPlace {
  const row = sql.get<{ value: string }>("SELECT value FROM main.local WHERE name = 'log_start'");
  return row ? JSON.parse(row.value) : LOG_START;
}
