import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A change that a document asks for: lines that go after a line of a file, or instead of it. */
export interface Step {
  /** The heading that it stands below. */
  heading: string;
  file: string;
  kind: 'after' | 'instead of';
  anchor: string;
  lines: string;
}

const FIRST_LINE = /^\/\/ (\S+), (after|instead of): (.+)$/;

/** The steps of a document: its `ts` blocks, of which the first line says where the rest goes. */
export function stepsIn(document: string): Step[] {
  let heading = '';
  return [...document.matchAll(/^## (.+)$|^```ts\n([\s\S]*?)^```$/gm)].flatMap(([, title, block]) => {
    heading = title ?? heading;
    if (block === undefined) return [];
    const [first = '', ...rest] = block.split('\n');
    const [, file, kind, anchor] = FIRST_LINE.exec(first) ?? [];
    if (file === undefined || anchor === undefined || (kind !== 'after' && kind !== 'instead of')) {
      throw new Error(`${heading}: the block does not say where it goes: ${first}`);
    }
    return [{ heading, file, kind, anchor: anchor.trim(), lines: rest.join('\n') }];
  });
}

/** Takes one step in a checkout; throws with its heading where the file is not as the document has it. */
export async function take({ heading, file, kind, anchor, lines }: Step, folder: string): Promise<void> {
  const path = join(folder, file);
  const source = (await readFile(path, 'utf8')).split('\n');
  const places = source.flatMap((line, index) => (line.trim() === anchor ? [index] : []));
  const [place] = places;
  if (place === undefined || places.length > 1) {
    throw new Error(`${heading}: ${file} has ${places.length} lines that say: ${anchor}`);
  }
  const added = lines.replace(/\n$/, '').split('\n');
  await writeFile(
    path,
    source.toSpliced(kind === 'after' ? place + 1 : place, kind === 'after' ? 0 : 1, ...added).join('\n'),
  );
}
