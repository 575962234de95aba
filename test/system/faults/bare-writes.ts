import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

/** Answers each POST 201 after one insert; `node bare-writes.ts <file> <synchronous>` with OFF is what must not be. */
const [file = '', synchronous = 'FULL'] = process.argv.slice(2);
const database = new DatabaseSync(file);
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; CREATE TABLE row (at TEXT)`);
const insert = database.prepare('INSERT INTO row VALUES (?)');
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    insert.run(new Date().toISOString());
    response.writeHead(201).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});
