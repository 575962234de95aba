import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TESTED } from './tested-program.ts';

/** What of the bundle an earlier version had otherwise: a text that stands in it once. */
type Patch = [now: string, before: string];

/** A family, a collection and a field less. */
const FEWER_FAMILIES: readonly Patch[] = [
  ['\n\tcustomer,\n', '\n'],
  ['\n\tcollections: { items: orderItem },\n', '\n'],
  ['...contact("secondary"),\n\t\tnotes: longText({ returned: false }),\n', '...contact("secondary"),\n'],
];

/** People's sessions sign nothing, and no station what it sends: as before there were keys. */
export const WITHOUT_KEYS: readonly Patch[] = [
  ['...author && { author: author.sign }', '...{}'],
  ['const isUncertified = ', 'const isUncertified = false && '],
  ['request.kind === "push" ? signedPush(', 'false ? signedPush('],
];

/** As 0.1.0: without keys, it does not say that it keeps what it does not know of a commit, and not which machine it is. */
export const SPEAKING_ONE: readonly Patch[] = [
  ...WITHOUT_KEYS,
  ['\t\t\tspeaks: 2,\n', ''],
  ['const proof = this.#options.proof?.present();', 'const proof = undefined;'],
  ['return this.#options.proof?.isAlone() ?? true;', 'return true;'],
];

/**
 * The program of an earlier version, for a `Station`: the bundle without what today's has.
 *
 * @param folder to write it into; the caller removes it
 */
export function earlierProgram(folder: string, patches: readonly Patch[] = FEWER_FAMILIES): string {
  const server = join(folder, 'server');
  // Code that was compiled for the bundle is of no use to another one.
  cpSync(TESTED, server, { recursive: true, filter: path => path !== join(TESTED, 'compiled') });
  const paths = readdirSync(server).flatMap(name => (name.endsWith('.js') ? join(server, name) : []));
  for (const [now, before] of patches) {
    const [path, more] = paths.filter(each => readFileSync(each, 'utf8').includes(now));
    const [start, end, again] = path ? readFileSync(path, 'utf8').split(now) : [];
    if (
      path === undefined ||
      start === undefined ||
      end === undefined ||
      more !== undefined ||
      again !== undefined
    )
      throw new Error(`The bundle does not have once: ${now}`);
    writeFileSync(path, start + before + end);
  }
  return join(server, 'main.js');
}
