/** Codes that a screen or a printed sheet shows, so that a scanner alone does what keys do. */
export const commands = {
  save: 'HP:SAVE',
  reject: 'HP:REJECT',
  undo: 'HP:UNDO',
  report: 'HP:NCR',
  yes: 'HP:YES',
  no: 'HP:NO',
  leave: 'HP:LEAVE',
} as const;

export type Command = keyof typeof commands;

export function commandOf(text: string): Command | null {
  const plain = withoutSymbology(text).trim().toUpperCase();
  const names = Object.keys(commands) as Command[];
  return names.find(name => commands[name] === plain) ?? null;
}

/** Without what a scanner says of the kind of code (`]C1`). */
export function withoutSymbology(text: string): string {
  return text.replace(/^\][A-Za-z]\d/, '');
}

/** A scan as it can be shown: what is no sign (separators, control characters, marks of direction) is a gap. */
export function shownScan(text: string): string {
  return withoutSymbology(text).replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ');
}
