import { germanRefusals } from './german-refusals.ts';
import { germanRemedies } from './german-remedies.ts';

/** One message of the server: what it looks like, and how it is said, with its values in their order. */
export type Saying = readonly [pattern: RegExp, say: (word: Word, ...values: string[]) => string];
/** A name of the contract (`Part number`, `supplier`) in the present language. */
export type Word = (english: string) => string;

const sayings: Record<string, readonly Saying[]> = { de: [...germanRemedies, ...germanRefusals] };
const leads: Record<string, string> = { de: 'Meldung des Servers, auf Englisch: ' };

/**
 * A message of the server in the language of the screens. The server speaks English; frequent messages are recognised
 * and said with their values, the others are shown as they come, and the reader is told so.
 */
export function serverMessage(message: string, language: string, word: Word): string {
  const known = sayings[language];
  if (!known) return message;
  for (const [pattern, say] of known) {
    const values = pattern.exec(message);
    if (values) return say(word, ...values.slice(1).map(value => value ?? ''));
  }
  return `${leads[language] ?? ''}${message}`;
}
