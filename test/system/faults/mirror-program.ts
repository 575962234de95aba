import { DatabaseSync } from 'node:sqlite';

/**
 * A connector that keeps a copy of all records by `/x/changes`, as the guide tells it: each page and the place after it in one transaction.
 * A process of its own, to be killed at any moment: `node mirror-program.ts FILE ORIGIN`, with `TOKEN` and `PATHS` (family to the path of its
 * single read).
 */
const [file = '', origin = ''] = process.argv.slice(2);
const paths = JSON.parse(process.env.PATHS ?? '{}') as Record<string, string>;
const sql = new DatabaseSync(file);
sql.exec(`CREATE TABLE IF NOT EXISTS record (family TEXT, id INTEGER, answer TEXT, PRIMARY KEY (family, id));
CREATE TABLE IF NOT EXISTS stale (family TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS place (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), cursor TEXT, resets INTEGER)`);

interface Change {
  family: string;
  id: number | null;
  record: object | null;
}

async function ask(path: string): Promise<{ status: number; data: unknown; meta: Record<string, unknown> }> {
  for (;;) {
    try {
      const headers = { Authorization: `Bearer ${process.env.TOKEN}` };
      const response = await fetch(`${origin}/api/v2${path}`, {
        headers,
        signal: AbortSignal.timeout(30_000),
      });
      if (response.status < 500)
        return {
          ...((await response.json()) as { data: unknown; meta: Record<string, unknown> }),
          status: response.status,
        };
    } catch {
      // The server is away for a while.
    }
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

function keep(family: string, id: number, answer: object | null): void {
  if (answer === null) sql.prepare('DELETE FROM record WHERE family = ? AND id = ?').run(family, id);
  else
    sql
      .prepare('INSERT INTO record VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET answer = excluded.answer')
      .run(family, id, JSON.stringify(answer));
}

/** What an entry without an id stands for: here all records of the family, which are more than belong to `of`. */
async function again(family: string): Promise<[number, object | null][]> {
  const ids = sql.prepare('SELECT id FROM record WHERE family = ?').all(family);
  const found: [number, object | null][] = [];
  for (const { id } of ids) {
    const { status, data } = await ask(`${paths[family]}/${id}`);
    found.push([Number(id), status === 200 ? (data as object) : null]);
  }
  return found;
}

for (;;) {
  const place = sql.prepare('SELECT cursor FROM place').get()?.cursor;
  const families = Object.keys(paths).join();
  const asked = `since=${place ?? 0}&as=now&limit=500&wait=1&families=${families}`;
  const { status, data, meta } = await ask(`/x/changes?${asked}`);
  if (status !== 200) throw new Error(`/x/changes answered ${status}.`);
  const changes = data as Change[];
  // What many records show is read again once all is told: until then it is noted, beside the place.
  const many = new Set([
    ...changes.flatMap(({ family, id }) => (id === null ? [family] : [])),
    ...sql
      .prepare('SELECT family FROM stale')
      .all()
      .map(row => String(row.family)),
  ]);
  const isLast = meta.is_more === false && meta.is_reset === false;
  const read = new Map<string, [number, object | null][]>();
  if (isLast) for (const family of many) read.set(family, await again(family));
  sql.exec('BEGIN IMMEDIATE');
  // History begins at 0 as well, after a restore too.
  if (meta.is_reset === true) sql.exec('DELETE FROM record');
  for (const { family, id, record } of changes) if (id !== null) keep(family, id, record);
  if (isLast) sql.exec('DELETE FROM stale');
  else for (const family of many) sql.prepare('INSERT OR IGNORE INTO stale VALUES (?)').run(family);
  for (const [family, answers] of read) for (const [id, answer] of answers) keep(family, id, answer);
  sql
    .prepare(
      'INSERT INTO place VALUES (1, ?, 0) ON CONFLICT DO UPDATE SET cursor = excluded.cursor, resets = resets + ?',
    )
    .run(meta.is_reset === true ? '0' : String(meta.cursor), meta.is_reset === true ? 1 : 0);
  sql.exec('COMMIT');
}
