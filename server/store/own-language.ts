import type { Database } from './sqlite/database.ts';
import { readLocal, writeLocal } from './tables.ts';

/**
 * The language that a person chose for the screens of this machine, where the person's record is central's to write; null
 * for the browser's, undefined while nothing was chosen here.
 */
export function ownLanguage(sql: Pick<Database, 'get'>, userId: number): string | null | undefined {
  const text = readLocal(sql, nameOf(userId));
  return text === undefined ? undefined : JSON.parse(text);
}

/** In a transaction. */
export function keepOwnLanguage(sql: Pick<Database, 'run'>, userId: number, language: string | null): void {
  writeLocal(sql, nameOf(userId), JSON.stringify(language));
}

function nameOf(userId: number): string {
  return `language:${userId}`;
}
