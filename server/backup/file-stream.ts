import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';

const STRETCH = 2 ** 20;
/** So often what was written is brought to the disk: a slow one takes as long for the whole at the end, without a sign of life. */
const SYNC_EVERY = 2 ** 24;

/** What a file has, from its beginning. The caller closes it. */
export function bytesOf(
  file: FileHandle,
  onBytes: (bytes: number) => void,
  signal?: AbortSignal,
): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        signal?.throwIfAborted();
        const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(STRETCH), 0, STRETCH, at);
        at += bytesRead;
        if (bytesRead === 0) return controller.close();
        onBytes(at);
        controller.enqueue(buffer.subarray(0, bytesRead));
      },
    },
    { highWaterMark: 1 },
  );
}

/** Writes a new file, readable by its owner alone. @throws where there is one of the name */
export async function fileWriter(path: string): Promise<{
  write(chunk: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}> {
  const file = await open(path, 'wx', 0o600);
  let since = 0;
  return {
    async write(chunk) {
      for (let at = 0; at < chunk.length; ) {
        const { bytesWritten } = await file.write(chunk, at);
        at += bytesWritten;
      }
      since += chunk.length;
      if (since < SYNC_EVERY) return;
      since = 0;
      await file.datasync();
    },
    sync: () => file.sync(),
    close: () => file.close(),
  };
}

/** SHA-256 of what can be read of a file. */
export async function digestOf(path: string, onBytes: (bytes: number) => void): Promise<string> {
  const file = await open(path, 'r');
  try {
    const hash = createHash('sha256');
    for await (const chunk of bytesOf(file, onBytes)) hash.update(chunk);
    return hash.digest('hex');
  } finally {
    await file.close();
  }
}
