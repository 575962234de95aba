import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const BUNDLE = join(import.meta.dirname, '..', '..', 'dist', 'server');
/** Has the families. */
const FAMILIES = 'family-index.js';
/** What of it an earlier version has not. */
const UNWRITTEN: [now: string, before: string][] = [
  ['\n\tcustomer,\n', '\n'],
  ['\n\tcollections: { items: orderItem },\n', '\n'],
  ['...contact("secondary"),\n\t\tnotes: longText({ returned: false }),\n', '...contact("secondary"),\n'],
];

/**
 * The program of an earlier version, for a `Station`: the bundle without a family, a collection and a field of today's.
 *
 * @param folder to write it into; the caller removes it
 */
export function earlierProgram(folder: string): string {
  const server = join(folder, 'server');
  // Code that was compiled for the bundle is of no use to another one.
  cpSync(BUNDLE, server, { recursive: true, filter: path => path !== join(BUNDLE, 'compiled') });
  const families = join(server, FAMILIES);
  let text = readFileSync(families, 'utf8');
  for (const [now, before] of UNWRITTEN) {
    const [start, end, more] = text.split(now);
    if (start === undefined || end === undefined || more !== undefined)
      throw new Error(`${FAMILIES} does not have once: ${now}`);
    text = start + before + end;
  }
  writeFileSync(families, text);
  return join(server, 'main.js');
}
