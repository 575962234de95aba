import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Puts a text into a folder that is there: under its name only once it is whole and on the disk.
 * @param mode who may read it; what is kept for others to read is left as the system has it
 */
export async function replaceFile(folder: string, name: string, text: string, mode = 0o666): Promise<void> {
  const path = join(folder, name);
  const file = await open(`${path}.new`, 'w', mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  // A folder cannot be synced on every system; the file is.
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
