/** The tables of a shared journal. JSON is text: `jsonb` refuses lone surrogates and writes numbers otherwise, which breaks hashes. */
export const SCHEMA = [
  `CREATE TABLE IF NOT EXISTS head (
    name text PRIMARY KEY, journal text NOT NULL, position bigint NOT NULL, turn text NOT NULL, sequence bigint NOT NULL,
    hash text NOT NULL, fence bigint NOT NULL, format integer NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS turn (
    position bigint PRIMARY KEY, id text NOT NULL UNIQUE, process text NOT NULL, at text NOT NULL, format integer NOT NULL,
    facts text NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS entry (
    sequence bigint PRIMARY KEY, position bigint NOT NULL, commit_id text NOT NULL, chain text NOT NULL, number bigint NOT NULL,
    body text NOT NULL, decisions text NOT NULL, hash text NOT NULL, countersignature text NOT NULL, UNIQUE (chain, number)
  )`,
  'CREATE INDEX IF NOT EXISTS entry_position ON entry (position)',
];

/** What is written of a turn. It rises when every process in use reads the next one. */
export const FORMAT = 1;

/** In the place of the format: the journal was moved out to a folder, and takes nothing any more. */
export const ENDED = -1;

/** By which processes hear that there is something new; all of them look by themselves as well. */
export const CHANNEL = 'holdpoint_journal';

/** Nothing is written yet. */
export const BEGIN_HEAD = `
INSERT INTO head (name, journal, position, turn, sequence, hash, fence, format) VALUES ('central', '', 0, '', 0, '', 0, ${FORMAT})
ON CONFLICT (name) DO NOTHING`;

export const READ_HEAD =
  "SELECT journal, position, turn, sequence, hash, fence, format FROM head WHERE name = 'central'";

/** The row is held until the transaction ends: whoever has it, nobody else's turn is under way. */
export const LOCK_HEAD = `${READ_HEAD} FOR UPDATE`;

/** Compares and appends in one statement; without a row nothing is written. */
export const APPEND = `
WITH moved AS (
  UPDATE head SET journal = $1, position = $2::bigint + 1, turn = $5, sequence = $6::bigint, hash = $7
  WHERE name = 'central' AND journal IN ('', $1) AND position = $2::bigint AND turn = $3 AND fence = $4::bigint
  RETURNING position
), written AS (
  INSERT INTO turn (position, id, process, at, format, facts)
  SELECT position, $5, $8, $9, ${FORMAT}, $10 FROM moved
), entered AS (
  INSERT INTO entry (position, sequence, commit_id, chain, number, body, decisions, hash, countersignature)
  SELECT moved.position, each.* FROM moved, unnest(
    $11::bigint[], $12::text[], $13::text[], $14::bigint[], $15::text[], $16::text[], $17::text[], $18::text[]
  ) AS each
)
SELECT position FROM moved`;

export const TURNS = `
SELECT position, id, format, facts FROM turn WHERE position BETWEEN $1::bigint AND $2::bigint ORDER BY position`;

/**
 * With the same values as `TURNS`, so that both are asked at once: of the first place, which whoever asks has, only its turn is
 * read again, by which it is known.
 */
export const ENTRIES = `
SELECT position, sequence, commit_id, chain, number, body, decisions, hash, countersignature FROM entry
WHERE position > $1::bigint AND position <= $2::bigint ORDER BY sequence`;

/**
 * Says up to which position there is something new. It is a hint, which no disk and no standby has to have: nothing that is asked behind it
 * waits for them, and the server's one lock for all that is told is held for no longer.
 */
export const TELL = `SELECT set_config('synchronous_commit', 'off', true), pg_notify('${CHANNEL}', $1)`;

/** Under the lock. In the place of the journal's id stands by which attempt it was ended: only one folder goes on with it. */
export const END = `
UPDATE head SET format = ${ENDED}, journal = $4 WHERE name = 'central' AND position = $1::bigint AND turn = $2 AND fence = $3::bigint`;

/** What is in flight on other connections counts no more. That it writes makes it wait for a standby that is waited for. */
export const RAISE_FENCE = "UPDATE head SET fence = fence + 1 WHERE name = 'central'";

/**
 * A server that was started again shows what its standby may not have, though a COMMIT waits for the standby. To lock a row is a
 * write, whose end waits for the standby as well, and what stands before it is there then. It is the row of a turn, so that whoever has the
 * head's can ask; those who ask wait for each other, so that of many only one is left behind while the standby is away.
 */
export const SETTLE = 'SELECT position FROM turn ORDER BY position DESC LIMIT 1 FOR UPDATE';

/** What is asked for each write and read, by the name under which a connection keeps it: it is parsed once, and planned. */
export const PREPARED: ReadonlyMap<string, string> = new Map([
  [READ_HEAD, 'read_head'],
  [LOCK_HEAD, 'lock_head'],
  [APPEND, 'append'],
  [TURNS, 'turns'],
  [ENTRIES, 'entries'],
  [TELL, 'tell'],
]);
