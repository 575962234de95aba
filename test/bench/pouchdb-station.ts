import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { benchRecord } from './sync-record.ts';

/**
 * `pouchdb-station.ts <installed> <database>`: does what lines of its input say: `fill <count>`, `push <url> [batch]`,
 * `pull <url> [batch]`, where a batch is a number of documents; without one it is PouchDB's own, of 100.
 */
const FILL = 1_000;
const [installed = '', database = ''] = process.argv.slice(2);
const PouchDB = createRequire(join(installed, 'package.json'))('pouchdb');
const store = new PouchDB(database);

createInterface({ input: process.stdin }).on('line', async line => {
  const [what, argument = '', batch] = line.split(' ');
  if (what === 'fill') {
    await fill(Number(argument));
    process.stdout.write('filled\n');
    return;
  }
  const started = performance.now();
  const options = batch === undefined ? {} : { batch_size: Number(batch) };
  const done = await (what === 'push'
    ? store.replicate.to(argument, options)
    : store.replicate.from(argument, options));
  const seconds = (performance.now() - started) / 1_000;
  process.stdout.write(`replicated ${seconds} ${done.docs_written}\n`);
});
process.stdout.write('ready\n');

/** As many documents as Holdpoint has records, with what it keeps of each beside its fields. */
async function fill(count: number): Promise<void> {
  for (let from = 0; from < count; from += FILL) {
    const at = new Date().toISOString();
    const documents = Array.from({ length: FILL }, (_, index) => ({
      _id: `part:${1_048_577 + from + index}`,
      ...benchRecord(from + index),
      created_at: at,
      updated_at: at,
      user: 'bench',
    }));
    await store.bulkDocs(documents);
  }
}
