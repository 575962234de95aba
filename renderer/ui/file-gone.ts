import { type AppError, invalid } from '../../shared/contract/errors.ts';

/**
 * Why a file that a person has chosen cannot be read: because it is gone or another one by now. A browser says so in words of its own, or
 * only that a request failed.
 * @returns what to tell, on `file`; undefined where it can be read
 */
export async function fileGone(file: File): Promise<AppError | undefined> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return undefined;
  } catch {
    const sentence = `${file.name} cannot be read any more: it was moved, changed or deleted. Choose it again.`;
    return invalid({ file: [sentence] });
  }
}
