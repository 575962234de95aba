/** Stands for what a font does not have. */
export const REPLACEMENT = '\uFFFD';

/** What says of no glyph of its own how others look, joined to them: joiners and variation selectors. */
const JOINERS = /\u200C|\u200D|\uFE0E|\uFE0F/gu;
/** What turns the direction of text could make a line read as another one than was typed; it prints nothing itself. */
const INVISIBLE = /[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF\u00AD]/gu;
const CONTROL = /[\p{Cc}\p{Cs}\u2028\u2029]/gu;

const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Makes text fit for a font: one mark for each character, as people count them, that the font does not have. Lines stay
 * lines; other control characters become spaces.
 */
export function printableBy(font: {
  hasGlyphForCodePoint(codePoint: number): boolean;
}): (text: string) => string {
  const isKnown = (cluster: string) =>
    [...cluster.replaceAll(JOINERS, '')].every(character =>
      font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0),
    );
  return text => {
    const plain = text
      .replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
      .replaceAll(INVISIBLE, '')
      .replaceAll(CONTROL, character => (character === '\n' ? '\n' : ' '));
    // The usual case, many times a document: nothing to look up.
    if (/^[\n -~]*$/.test(plain)) return plain;
    return Array.from(clusters.segment(plain), ({ segment }) =>
      segment === '\n' || isKnown(segment) ? segment.replaceAll(JOINERS, '') : REPLACEMENT,
    ).join('');
  };
}

/** A word that is longer than this may break after so many characters. */
const LONG_WORD = 40;

/**
 * Lets a word of any length break where its line ends: pdfmake breaks words as well, in a time and memory that grow with
 * the square of their length.
 */
export function breakable(text: string): string {
  return text.replaceAll(/[^\s\u200B]{41,}/g, word =>
    Array.from({ length: Math.ceil(word.length / LONG_WORD) }, (_, index) =>
      word.slice(index * LONG_WORD, (index + 1) * LONG_WORD),
    ).join('\u200B'),
  );
}
