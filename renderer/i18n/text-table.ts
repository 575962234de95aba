import type { Texts } from './i18n.ts';

/** An area's catalogues from one table: below each key what English says, then what German says. */
export function textTable<Key extends string>(
  table: Readonly<Record<Key, readonly [en: string, de: string]>>,
): Texts {
  const entries = Object.entries<readonly [en: string, de: string]>(table);
  return {
    en: Object.fromEntries(entries.map(([key, [english]]) => [key, english])),
    de: Object.fromEntries(entries.map(([key, [, german]]) => [key, german])),
  };
}
