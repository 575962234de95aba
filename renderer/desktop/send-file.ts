import { fileGone } from '../ui/file-gone.ts';
import { bridge } from './bridge.ts';

/**
 * Sends a file that a person has chosen, by a call that takes it as its body. In the desktop app it goes as a stream: Electron hands
 * the main process a file in one piece, whatever its size, and a stream piece by piece. A browser gets the file itself, since
 * it sends streams over HTTP/2 alone.
 * @throws AppError 422 on `file` where it cannot be read any more; else what the call throws
 */
export async function sendFile<Answer>(
  file: File,
  call: (body: Blob | ReadableStream<Uint8Array>) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call(bridge() ? file.stream() : file);
  } catch (error) {
    throw (await fileGone(file)) ?? error;
  }
}
