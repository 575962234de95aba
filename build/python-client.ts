import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientOperations } from './packed-operations.ts';

/** Writes the table of operations into `clients/python/holdpoint.py`; a test says when it is to be written anew. */
export const PYTHON_CLIENT = join(import.meta.dirname, '../clients/python/holdpoint.py');
const BEGIN = '# Operations: written by `node build/python-client.ts`.\n';

/** The file with the table as it is now. */
export async function pythonClient(): Promise<string> {
  const [code = ''] = (await readFile(PYTHON_CLIENT, 'utf8')).split(BEGIN);
  const rows = clientOperations().map(({ id, method, path, body, query, summary }) => {
    const form = query.as && query.page ? 'array' : '';
    const cells = [method, path, body?.type ?? '', form].map(cell => JSON.stringify(cell));
    const words = summary.replaceAll('\n', ' ');
    return `    # ${words}\n    ${JSON.stringify(id)}: (${cells.join(', ')}),\n`;
  });
  return `${code}${BEGIN}OPERATIONS = {\n${rows.join('')}}\n`;
}

if (process.argv[1] === import.meta.filename) await writeFile(PYTHON_CLIENT, await pythonClient());
