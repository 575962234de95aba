import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Writes the guides of `docs/interface/` into the server, which serves them beside the description of the operations and may stand where
 * there is no `docs/`; a test says when they are to be written anew.
 */
export const GUIDE_TEXTS = join(import.meta.dirname, '../server/http/openapi/guide-texts.ts');
const FOLDER = join(import.meta.dirname, '../docs/interface');

/** By the name of the page, in the order in which one reads them. */
const SOURCES = {
  'first-five-minutes': 'guides/first-five-minutes.md',
  connector: 'guides/connector.md',
  webhooks: 'webhooks.md',
  errors: 'guides/errors.md',
  times: 'guides/times.md',
  quantities: 'guides/quantities.md',
  versions: 'guides/versions.md',
  lists: 'lists.md',
  clients: 'clients.md',
};

export async function guideTexts(): Promise<string> {
  const guides = await Promise.all(
    Object.entries(SOURCES).map(async ([name, file]) => {
      const text = await readFile(join(FOLDER, file), 'utf8');
      return `  { name: ${quoted(name)}, text: ${quoted(text.trimEnd())} },\n`;
    }),
  );
  return `// Written by \`node build/guides.ts\` from docs/interface.\n// biome-ignore-all format: a line for each document\n\nexport const guideTexts: readonly { name: string; text: string }[] = [\n${guides.join('')}];\n`;
}

function quoted(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n');
  return `'${escaped}'`;
}

if (process.argv[1] === import.meta.filename) await writeFile(GUIDE_TEXTS, await guideTexts());
