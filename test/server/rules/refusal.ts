import { AppError } from '../../../shared/contract/errors.ts';

/** The words in which something is refused: by path where a field is at fault, else by the error's code. */
export async function refusalOf(attempt: Promise<unknown>): Promise<Record<string, string>> {
  try {
    await attempt;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (!error.errors) return { [error.code]: error.message };
    return Object.fromEntries(Object.entries(error.errors).map(([path, texts]) => [path, texts.join(' ')]));
  }
  return {};
}
