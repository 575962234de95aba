import type { Saying } from './german-remedies.ts';

const AGAIN =
  'Scannen Sie noch einmal; kommt es wieder, tippen Sie die Werte vom Etikett ab, und sagen Sie es dem Lieferanten.';
const SEPARATOR =
  'Das Trennzeichen (FNC1) fehlt: Stellen Sie den Scanner so ein, dass er es als GS (ASCII 29) sendet, und scannen Sie noch einmal.';
const CUT = 'Der Code ist abgeschnitten.';

/** Why a code cannot be read: `shared/gs1/`. */
export const germanGs1: readonly Saying[] = [
  [/^The scan is empty\. /, `Der Scan ist leer. ${AGAIN}`],
  [/^The code holds no data\. /, `Der Code enthält nichts. ${AGAIN}`],
  [
    /^The scan has more than (\d+) characters, and no code has\. /,
    (_, most) => `Der Scan hat mehr als ${most} Zeichen; so viele hat kein Code. ${AGAIN}`,
  ],
  [
    /^(.+) is no EAN, UPC or ITF number: /s,
    (_, text) =>
      `${text} ist keine EAN-, UPC- oder ITF-Nummer: Die Länge oder die Prüfziffer ist falsch. ${AGAIN}`,
  ],
  [
    /^(\(\d+\) .+) has the check digit (\d) and should have (\d)\. /s,
    (_, name, is, should) => `${name} hat die Prüfziffer ${is} statt ${should}. ${AGAIN}`,
  ],
  [
    /^(\(\d+\) .+) holds ([\d to]+) characters and has (\d+)\. (The code is cut short|The separator)/s,
    (_, name, holds, has, why) => {
      const rest = why?.startsWith('The separator') ? SEPARATOR : `${CUT} ${AGAIN}`;
      return `${name} hat ${holds?.replace('to', 'bis')} Zeichen, hier ${has}. ${rest}`;
    },
  ],
  [
    /^"(.+)" at character (\d+) is no GS1 application identifier\. /s,
    (_, text, at) =>
      `„${text}“ an der ${at}. Stelle ist kein Datenbezeichner von GS1. Stellen Sie den Scanner so ein, dass er das Trennzeichen (FNC1) als GS (ASCII 29) sendet. ${AGAIN}`,
  ],
  [
    /^(\(\d+\) .+) holds digits only and has "(.+)"\. /s,
    (_, name, has) => `${name} hat nur Ziffern, hier „${has}“. ${AGAIN}`,
  ],
  [
    /^(\(\d+\) .+) holds letters, digits and signs without spaces and has "(.+)"\. /s,
    (_, name, has) => `${name} hat Buchstaben, Ziffern und Zeichen ohne Leerzeichen, hier „${has}“. ${AGAIN}`,
  ],
  [
    /^(\(\d+\) .+) "(.+)" is no date \((.+)\)\. /s,
    (_, name, text, form) => `${name}: „${text}“ ist kein Datum (${form}). ${AGAIN}`,
  ],
  [
    /^(\(\d+\) .+) "(.+)" is no time of day/s,
    (_, name, text) => `${name}: „${text}“ ist keine Uhrzeit. ${AGAIN}`,
  ],
  [/^(\(\d+\) .+) has "(.+)" too many\. /s, (_, name, text) => `${name} hat „${text}“ zu viel. ${SEPARATOR}`],
  [
    /^(\(\d+\) .+) stands twice, as "(.+)" and "(.+)"\. /s,
    (_, name, one, other) =>
      `${name} steht zweimal da, als „${one}“ und „${other}“. Scannen Sie ein Etikett nach dem anderen.`,
  ],
  [
    /^(\(\d+\) .+) "(.+)" is not encoded as a web address requires\. /s,
    (_, name, text) =>
      `${name}: „${text}“ ist nicht so geschrieben, wie eine Webadresse es verlangt. ${AGAIN}`,
  ],
];
