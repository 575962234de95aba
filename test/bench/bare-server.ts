import { DatabaseSync } from 'node:sqlite';
import express from 'express';

/**
 * The yardstick: Express 5 and node:sqlite doing the same inserts and queries with nothing around them. WAL and FULL as
 * in the real store, the total in memory; no validation, no history, no tokens. It answers the same records, every
 * documented field of a part in the same envelope, so that both send answers of one size. Its search index is filled
 * with the rows that the benchmark starts from and not kept up by creates: a create here is one row and one fsync.
 */
const [file = '', port = '0'] = process.argv.slice(2);
const database = new DatabaseSync(file);
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000');
database.exec('CREATE TABLE IF NOT EXISTS part (id INTEGER PRIMARY KEY, body TEXT NOT NULL)');
database.exec("CREATE VIRTUAL TABLE IF NOT EXISTS search USING fts5(text, content='', tokenize='trigram')");

const insert = database.prepare('INSERT INTO part (body) VALUES (?)');
const select = database.prepare('SELECT id, body FROM part WHERE id = ?');
const page = database.prepare('SELECT id, body FROM part ORDER BY id LIMIT ? OFFSET ?');
const find = database.prepare(
  'SELECT id, body FROM part WHERE id IN (SELECT rowid FROM search WHERE search MATCH ?) ORDER BY id LIMIT ? OFFSET ?',
);
const found = database.prepare('SELECT count(*) AS n FROM search WHERE search MATCH ?');
const index = database.prepare('INSERT INTO search (rowid, text) VALUES (?, ?)');
let total = Number(database.prepare('SELECT count(*) AS n FROM part').get()?.n ?? 0);

interface Row {
  id: number;
  body: string;
}

const EMPTY_PART = {
  name: null,
  identification: null,
  company_id: null,
  is_activity: false,
  is_finished_product: true,
  supplier_id: null,
  parent_part_id: null,
  batch_ids: [],
  unit_type: null,
  unit_of_measure: null,
  density: null,
  density_mass_unit: null,
  density_volume_unit: null,
  part_type_id: null,
  reorder_point: null,
  barcodes: [],
};

const answerOf = (row: unknown) => {
  const { id, body } = row as Row;
  return { id, ...JSON.parse(body) };
};
const stamped = (body: object) => {
  const now = new Date().toISOString().slice(0, 19).replace('T', ' ');
  return JSON.stringify({ ...EMPTY_PART, ...body, created_at: now, updated_at: now });
};
const success = (data: unknown, meta?: object) => ({
  status: 'success',
  message: 'The request was successful',
  data,
  meta,
});

const app = express();
app.disable('x-powered-by');
app.disable('etag');
const json = express.json({ limit: '5mb' });

app.get('/parts/:id', (request, response) => {
  response.json(success(answerOf(select.get(Number(request.params.id)))));
});
app.get('/parts', (request, response) => {
  const { keyword } = request.query;
  const perPage = Number(request.query.per_page ?? 50);
  const number = Number(request.query.page ?? 1);
  const offset = (number - 1) * perPage;
  const phrase = `"${keyword}"`;
  const rows = keyword ? find.all(phrase, perPage, offset) : page.all(perPage, offset);
  const count = keyword ? Number(found.get(phrase)?.n) : total;
  const to = offset + rows.length;
  const meta = { current_page: number, from: offset + 1, to, total: count, per_page: perPage };
  response.json(success(rows.map(answerOf), meta));
});
app.post('/parts/bulk', json, (request, response) => {
  database.exec('BEGIN');
  const isIndexed = request.query.index === '1';
  const rows = (request.body as { name: string; identification: string }[]).map(body => {
    const text = stamped(body);
    const id = Number(insert.run(text).lastInsertRowid);
    if (isIndexed) index.run(id, `${body.name}\n${body.identification}`);
    return { id, ...JSON.parse(text) };
  });
  database.exec('COMMIT');
  total += rows.length;
  const meta = { current_page: 1, from: 1, to: rows.length, total: rows.length, per_page: rows.length };
  response.status(201).json(success(rows, meta));
});
app.post('/parts', json, (request, response) => {
  const text = stamped(request.body);
  const id = Number(insert.run(text).lastInsertRowid);
  total += 1;
  response.status(201).json(success({ id, ...JSON.parse(text) }));
});

app.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
