import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

/** A folder that electron-builder takes for Electron's Linux distribution: its program has the fuse wire and nothing else. */
export async function writeStandInElectron(folder: string, fuses = '010000111'): Promise<void> {
  await mkdir(join(folder, 'locales'), { recursive: true });
  const wire = Buffer.from([1, fuses.length]);
  const program = Buffer.concat([
    Buffer.from('\x7fELF stand-in '),
    Buffer.from(SENTINEL),
    wire,
    Buffer.from(fuses),
    Buffer.from(' the end'),
  ]);
  await writeFile(join(folder, 'electron'), program, { mode: 0o755 });
  await writeFile(join(folder, 'version'), '45.3.4');
  for (const name of ['en-US', 'de', 'fr']) await writeFile(join(folder, 'locales', `${name}.pak`), '');
}
