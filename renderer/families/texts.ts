import type { Texts } from '../i18n/i18n.ts';

/** Names of families, fields and choices: the contract in `shared/families` has the English ones. */
export const texts: Texts = { en: {}, de: {} };
