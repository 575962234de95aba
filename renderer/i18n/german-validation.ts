import type { Saying } from './german-remedies.ts';

/** What is said of validations: `server/validation/`. */
export const germanValidation: readonly Saying[] = [
  [
    /^A validation is running\./,
    'Es wird gerade validiert. Warten Sie, bis es fertig ist, oder brechen Sie ab.',
  ],
  [/^No validation is running\./, 'Es wird nicht validiert. Starten Sie eine Validierung.'],
  [/^The validation was cancelled\.$/, 'Die Validierung wurde abgebrochen.'],
  [
    /^The validation gave no report: (.+)$/s,
    (_word, why = '') => `Die Validierung ergab keinen Bericht: ${reasonOf(why)}`,
  ],
  [
    /^There is no report with this name\./,
    'Einen Bericht mit diesem Namen gibt es nicht. Die Liste nennt die vorhandenen.',
  ],
  [
    /^(\S+) is not what the installation has signed: it was altered\./,
    (_word, file) =>
      `${file} ist nicht, was die Installation unterschrieben hat: Die Datei wurde verändert. Validieren Sie erneut, und bewahren Sie Berichte auch anderswo auf.`,
  ],
];

function reasonOf(why: string): string {
  const needed = /^There is no room to validate: (\d+) MiB/.exec(why)?.[1];
  if (needed !== undefined)
    return `Es ist kein Platz dafür: ${needed} MiB werden neben den Daten gebraucht. Schaffen Sie Platz und starten Sie erneut.`;
  return why === 'It was cut off. Start it again.' ? 'Sie wurde unterbrochen. Starten Sie erneut.' : why;
}
