// A connector between an ERP on PostgreSQL and Holdpoint. It keeps a table of stock in the ERP's database, and posts the ERP's purchase
// orders to Holdpoint. It may be killed at any moment, and Holdpoint may be restored from a backup: it goes on where it was.
//
//   npm install pg
//   HOLDPOINT_URL=http://127.0.0.1:4870 HOLDPOINT_TOKEN=… PGDATABASE=erp node erp-connector.mjs
//
// The ERP writes `purchase_order` (number, supplier, day, lines as [{"part": "BTL-250", "quantity": 240}]) and reads `stock`.
import pg from 'pg';

const base = `${process.env.HOLDPOINT_URL}/api/v2`;
const database = new pg.Client();

const TABLES = `
CREATE TABLE IF NOT EXISTS stock (
  lot_id bigint PRIMARY KEY, part text, lot text, quantity numeric NOT NULL, unit text, cost numeric, value numeric);
CREATE TABLE IF NOT EXISTS purchase_order (
  number text PRIMARY KEY, supplier text NOT NULL, day date, lines jsonb NOT NULL, holdpoint_id bigint, refused text);
CREATE TABLE IF NOT EXISTS holdpoint_place (only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one), place text NOT NULL);`;

/** Sends until it is answered: a lost answer, 429 and 5xx are tried again, a write always under the same key. */
async function ask(method, path, { query = {}, body, key } = {}) {
  const headers = { Authorization: `Bearer ${process.env.HOLDPOINT_TOKEN}` };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (key !== undefined) headers['Idempotency-Key'] = key;
  const url = `${base}${path}?${new URLSearchParams(query)}`;
  for (let wait = 100; ; wait = Math.min(wait * 2, 5_000)) {
    try {
      const response = await fetch(url, {
        method,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(60_000),
      });
      if (response.status < 500 && response.status !== 429) {
        const answer = await response.json();
        return { ...answer, status: response.status };
      }
    } catch {
      // The line, or the server, is away for a while.
    }
    await new Promise(resolve => setTimeout(resolve, wait));
  }
}

async function askWell(method, path, options) {
  const answer = await ask(method, path, options);
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.message}`);
  return answer;
}

async function inTransaction(work) {
  await database.query('BEGIN');
  try {
    await work();
    await database.query('COMMIT');
  } catch (error) {
    await database.query('ROLLBACK');
    throw error;
  }
}

/** The place is kept with what was done up to it: both or neither survive a kill. */
function keepPlace(place) {
  return database.query(
    'INSERT INTO holdpoint_place (place) VALUES ($1) ON CONFLICT (only_one) DO UPDATE SET place = $1',
    [place],
  );
}

function keepLot({ id, identification, inventory_name, quantity, unit_of_measure, cost, value_on_hand }) {
  return database.query(
    `INSERT INTO stock VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (lot_id) DO UPDATE SET
       part = $2, lot = $3, quantity = $4, unit = $5, cost = $6, value = $7`,
    [id, identification, inventory_name, quantity, unit_of_measure, cost, value_on_hand],
  );
}

/** All lots that fit, page by page. */
async function* lots(query) {
  for (let page = 1; ; page += 1) {
    const { data } = await askWell('GET', '/inventory', { query: { ...query, page, per_page: 500 } });
    yield* data;
    if (data.length < 500) return;
  }
}

/** Everything anew: at the first start, and when the place leads nowhere any more. */
async function begin() {
  // First the place, then the lists: what changes meanwhile is told by what follows.
  const { meta } = await askWell('GET', '/x/changes');
  const all = [];
  for await (const lot of lots({})) all.push(lot);
  await inTransaction(async () => {
    await database.query('DELETE FROM stock');
    for (const lot of all) await keepLot(lot);
    // A restored Holdpoint may have lost what was posted since its backup: each order is looked for again.
    await database.query('UPDATE purchase_order SET holdpoint_id = NULL');
    await keepPlace(meta.cursor);
  });
}

/** One page of changes. */
async function follow(place, wait) {
  const { data, meta } = await askWell('GET', '/x/changes', {
    query: { since: place, families: 'inventory', fields: 'id', as: 'now', limit: 200, wait },
  });
  if (meta.is_reset) return begin();
  const changed = [...new Set(data.flatMap(({ id }) => (id === null ? [] : [id])))];
  const found = [];
  // An address has room for a hundred ids.
  for (let at = 0; at < changed.length; at += 100)
    for await (const lot of lots({ 'filter[id][in]': changed.slice(at, at + 100).join() })) found.push(lot);
  // Without an id: all lots that show the record that has changed.
  for (const { of } of data.filter(({ id }) => id === null))
    for await (const lot of lots(of.family === 'part' ? { part_id: of.id } : {})) found.push(lot);
  const ids = new Set(found.map(({ id }) => id));
  await inTransaction(async () => {
    for (const lot of found) await keepLot(lot);
    for (const id of changed.filter(each => !ids.has(each)))
      await database.query('DELETE FROM stock WHERE lot_id = $1', [id]);
    await keepPlace(meta.cursor);
  });
}

/** The id of the record with this name or number; null where there is none. */
async function idOf(path, field, text) {
  const { data } = await askWell('GET', path, { query: { [`filter[${field}]`]: text, fields: field } });
  return data[0]?.id ?? null;
}

async function supplierOf(name) {
  const known = await idOf('/suppliers', 'name', name);
  if (known !== null) return known;
  const { data } = await askWell('POST', '/suppliers', {
    body: { name },
    key: `erp-supplier-${encodeURIComponent(name).slice(0, 200)}`,
  });
  return data.id;
}

/** Posts what Holdpoint has not. A kill between the post and the note of its id finds the order again by its number. */
async function postOrders() {
  const { rows } = await database.query(
    `SELECT number, supplier, to_char(day, 'YYYY-MM-DD') AS day, lines FROM purchase_order
     WHERE holdpoint_id IS NULL AND refused IS NULL ORDER BY number LIMIT 100`,
  );
  for (const { number, supplier, day, lines } of rows) {
    let id = await idOf('/x/purchase-orders', 'po_number', number);
    let refused = null;
    if (id === null) {
      const items = [];
      for (const { part, quantity } of lines) {
        const partId = await idOf('/parts', 'identification', part);
        if (partId === null) refused = `There is no part ${part}.`;
        items.push({ part_id: partId, quantity });
      }
      if (refused === null) {
        const body = { po_number: number, supplier_id: await supplierOf(supplier), order_date: day, items };
        const answer = await ask('POST', '/x/purchase-orders', { body, key: `erp-po-${number}` });
        // What was sent before a kill is still at work there: the next round finds it.
        if (answer.status === 409) continue;
        if (answer.status >= 400) refused = answer.message;
        else id = answer.data.id;
      }
    }
    // What is refused waits for a person: it stands in the table with the reason, and stops nothing else.
    await database.query('UPDATE purchase_order SET holdpoint_id = $2, refused = $3 WHERE number = $1', [
      number,
      id,
      refused,
    ]);
  }
}

await database.connect();
await database.query(TABLES);
console.log('connected');
for (;;) {
  const { rows } = await database.query('SELECT place FROM holdpoint_place');
  if (rows.length === 0) await begin();
  await postOrders();
  const { rows: now } = await database.query('SELECT place FROM holdpoint_place');
  // Orders wait at most so many seconds for the changes of stock.
  await follow(now[0].place, Number(process.env.HOLDPOINT_WAIT ?? 5));
}
