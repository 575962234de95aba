import type { Saying } from './german-remedies.ts';

/** Codes for enrolment: making them, and why one opens nothing. */
export const germanEnrolment: readonly Saying[] = [
  [
    /^(?:(.+) cannot be used\. )?Give a whole number of hours, 1 to (\d+), for several stations to (\d+)\.$/,
    (_word, given, one, many) =>
      `${unusable(given)}Geben Sie eine ganze Zahl von Stunden an, 1 bis ${one}, für mehrere Stationen bis ${many}.`,
  ],
  [
    /^(?:(.+) cannot be used\. )?Give how many stations it lets in, a whole number from 1 to (\d+)\.$/,
    (_word, given, most) =>
      `${unusable(given)}Geben Sie an, wie viele Stationen er einlässt, eine ganze Zahl von 1 bis ${most}.`,
  ],
  [
    /^(?:(.+) cannot be used\. )?Give a name of 1 to 100 characters, such as the plant\.$/,
    (_word, given) => `${unusable(given)}Geben Sie einen Namen mit 1 bis 100 Zeichen an, etwa das Werk.`,
  ],
  [
    /^A code for one station is valid for at most (\d+) hours\.$/,
    (_word, most) => `Ein Code für eine Station gilt höchstens ${most} Stunden.`,
  ],
  [
    /^A code for several stations is for fresh ones\. Make a code for one station that may bring its records along\.$/,
    'Ein Code für mehrere Stationen ist für neue. Machen Sie einen Code für eine Station, die ihre Datensätze mitbringen darf.',
  ],
  [
    /^This code let in (\d+) stations, as many as it may\. Ask central for a new one\.$/,
    (_word, uses) =>
      `Dieser Code hat ${uses} Stationen eingelassen, mehr lässt er nicht ein. Fragen Sie die Zentrale nach einem neuen.`,
  ],
  [
    /^This code was used already\. Ask central for a new one\.$/,
    'Dieser Code wurde schon verwendet. Fragen Sie die Zentrale nach einem neuen.',
  ],
  [
    /^This code was revoked\. Ask central for a new one\.$/,
    'Dieser Code wurde widerrufen. Fragen Sie die Zentrale nach einem neuen.',
  ],
  [
    /^This code is not accepted\. Check it, or ask central for a new one\.$/,
    'Dieser Code wird nicht angenommen. Prüfen Sie ihn, oder fragen Sie die Zentrale nach einem neuen.',
  ],
  [
    /^This code lets in new installations only, and central knows this one\. Ask central for a code for one station\.$/,
    'Dieser Code lässt nur neue Installationen ein, und die Zentrale kennt diese schon. Fragen Sie die Zentrale nach einem Code für eine Station.',
  ],
];

function unusable(given: string): string {
  return given === '' ? '' : `${given} kann nicht verwendet werden. `;
}
