import type { Saying } from './german-remedies.ts';

/** What cannot be said of the past: `server/past`, `server/http/handlers/past.ts`. */
export const germanPast: readonly Saying[] = [
  [
    /^There was no (.+) with the id (\d+)( here)? .+: it was created on (\S+?)(?:, entry (\d+) of the log)?\.$/s,
    (_word, _noun, id, here, at, place) =>
      `Den Datensatz ${id} gab es damals${here ? ' hier' : ''} nicht: Er wurde am ${at} angelegt${place ? `, Eintrag ${place} des Protokolls` : ''}.`,
  ],
  [
    /^(\S+) is not over yet: it is \S+\. Give a moment that is over\.$/s,
    'Dieser Zeitpunkt ist noch nicht vorbei. Geben Sie einen an, der vorbei ist.',
  ],
  [
    /^Nothing was recorded here by .+: that is before the first entry\. Give a later one\.$/s,
    'Bis dahin war hier nichts aufgezeichnet: Das ist vor dem ersten Eintrag. Geben Sie einen späteren Zeitpunkt an.',
  ],
  [
    /^There is no entry (\d+) of the log here\. Give 1 to (\d+)\.$/s,
    (_word, place, end) => `Den Eintrag ${place} des Protokolls gibt es hier nicht. Möglich: 1 bis ${end}.`,
  ],
  [
    /^When changes arrived at this machine is noted from (\S+) on: .+$/s,
    (_word, at) =>
      `Wann Änderungen bei diesem Rechner angekommen sind, ist seit ${at} notiert; was er davor wusste, ist nicht bekannt. Geben Sie einen späteren Zeitpunkt an, oder fragen Sie, wie es war.`,
  ],
  [
    /^This station took .+ as (?:it|they) stood, (?:without its history: it is known here from|and knows their history from) (.+) on\. .+$/s,
    (_word, from) =>
      `Diese Station hat die Datensätze übernommen, wie sie standen; die Geschichte ist hier ab ${from} bekannt. Fragen Sie die Zentrale, oder geben Sie einen späteren Zeitpunkt an.`,
  ],
  [
    /^This station is taking records from central\. .+$/s,
    'Diese Station übernimmt gerade Datensätze von der Zentrale. Fragen Sie noch einmal, wenn sie alle hat.',
  ],
];
