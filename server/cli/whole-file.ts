import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../shared/contract/errors.ts';

/**
 * Under its own name only when it is complete and on the disk: a stick that is pulled out leaves no half file that looks whole.
 * @returns how many bytes it has
 */
export async function writeWhole(
  path: string,
  content: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<number> {
  const part = `${path}.part`;
  let bytes = 0;
  try {
    const file = await open(part, 'w', 0o600);
    try {
      for await (const chunk of content) {
        signal.throwIfAborted();
        await file.writeFile(chunk);
        bytes += chunk.length;
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
    await syncFolder(dirname(path));
    return bytes;
  } catch (error) {
    // A stick that is gone has nothing to remove.
    await rm(part, { force: true }).catch(() => undefined);
    signal.throwIfAborted();
    throw writeError(error, path);
  }
}

/** A folder cannot be synced on every system; the file is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function writeError(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC')
    return new AppError('storage_full', `There is no room for ${path}. Free some, or write it elsewhere.`);
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
    return new AppError(
      'unavailable',
      `${path} cannot be written (${code}). Check the disk and the path, and do it again.`,
      { cause: error },
    );
  }
  // Fetch says no more of an answer that ended early.
  if (error instanceof TypeError) {
    return new AppError(
      'unavailable',
      'The server ended before the file was complete. Start it, and do it again.',
      { cause: error },
    );
  }
  return error;
}
