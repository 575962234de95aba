import { createRequire } from 'node:module';
import { join } from 'node:path';

/** `pouchdb-server.ts <installed> <data> <port>`: express-pouchdb with what replication needs, and nothing beside. */
const [installed = '', data = '', port = ''] = process.argv.slice(2);
const require = createRequire(join(installed, 'package.json'));
process.chdir(data);
const PouchDB = require('pouchdb').defaults({ prefix: `${data}/` });
const app = require('express')();
app.use(
  require('express-pouchdb')(PouchDB, {
    mode: 'minimumForPouchDB',
    inMemoryConfig: true,
    logPath: join(data, 'log'),
  }),
);
app.listen(Number(port), '127.0.0.1', () => process.stdout.write('serves\n'));
