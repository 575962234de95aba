/** A sentence: English, then German. */
export type Said = readonly [en: string, de: string];
