import type { Texts } from './i18n.ts';

/** An area's texts: below each key what English says, then what German says. */
export type TextTable<Key extends string = string> = Readonly<Record<Key, readonly [en: string, de: string]>>;

/** The catalogues of one table, or of several that are spread into one. */
export function textTable<Key extends string>(table: TextTable<Key>): Texts {
  const entries = Object.entries<readonly [en: string, de: string]>(table);
  return {
    en: Object.fromEntries(entries.map(([key, [english]]) => [key, english])),
    de: Object.fromEntries(entries.map(([key, [, german]]) => [key, german])),
  };
}
