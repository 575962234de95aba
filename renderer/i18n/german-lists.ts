import type { Saying } from './german-remedies.ts';

/** What lists refuse of `sort` and `filter`: `server/http/list-query.ts`, `server/store/list-pages.ts`. */
export const germanLists: readonly Saying[] = [
  [
    /^There are (\d+) views already\. Take one away first\.$/s,
    (_, most) => `Es gibt schon ${most} Ansichten. Entfernen Sie erst eine.`,
  ],
  [
    /^(.+) (has no index to find .+ by|is no field of .+)\. They can be (sorted|filtered) by: (.+)\.$/s,
    (_, field, why, how, known) =>
      `${field} ${why.startsWith('has') ? 'hat hier keinen Index' : 'ist hier kein Feld'}. ${how === 'sorted' ? 'Sortiert' : 'Gefiltert'} werden kann nach: ${known}.`,
  ],
  [
    /^(.+) names no field\. Give one, such as sort=-id\.$/s,
    (_, field) => `${field} nennt kein Feld. Nennen Sie eines, etwa sort=-id.`,
  ],
  [
    /^(\d+) (fields|conditions|values) are too many\. .* (\d+) at most\.$/s,
    (_, count, what, most) => `${count} ${WHAT[what] ?? what} sind zu viele. Höchstens ${most} sind möglich.`,
  ],
  [
    /^(.+) stands twice\. Name each field once\.$/s,
    (_, field) => `${field} steht zweimal da. Nennen Sie jedes Feld einmal.`,
  ],
  [
    /^(.+) is no comparison for (.+), which holds .+\. Possible: (.+)\.$/s,
    (_, given, field, possible) => `${given} ist kein Vergleich für ${field}. Möglich: ${possible}.`,
  ],
  [
    /^(.+) is not (the id of a record|a yes or no|a calendar date|a date and time|a number)\. Give .+\.$/s,
    (_, value, what) => `${value} ist ${KINDS[what] ?? what}.`,
  ],
  [
    /^(.+) is not one of its values\. Allowed: (.+)\.$/s,
    (_, value, allowed) => `${value} ist keiner der Werte. Möglich: ${allowed}.`,
  ],
  [
    /^Nothing is given to compare (.+) with\. .+$/s,
    (_, field) =>
      `Es fehlt, womit ${field} verglichen wird. Nennen Sie einen Wert, oder fragen Sie mit [is_null]=true nach Datensätzen ohne Angabe.`,
  ],
  [
    /^There are (\d+) (.+), and this would go through more than (\d+) entries of their indexes\. .+$/s,
    (word, count, what, most) =>
      `Es gibt ${count} Datensätze (${word(capital(what))}), und dies würde mehr als ${most} Einträge ihrer Indizes durchgehen. Fragen Sie nach Werten, die weniger haben, oder sortieren und filtern Sie nach einem einzigen Feld.`,
  ],
];

const KINDS: Record<string, string> = {
  'the id of a record': 'nicht die Id eines Datensatzes. Geben Sie eine ganze Zahl ab 1 an',
  'a yes or no': 'kein Ja oder Nein. Geben Sie true oder false an',
  'a calendar date': 'kein Datum. Geben Sie JJJJ-MM-TT an, etwa 2026-01-31',
  'a date and time': 'kein Zeitpunkt. Geben Sie ISO 8601 an, etwa 2026-01-31T08:30:00Z',
  'a number': 'keine Zahl. Geben Sie eine an, etwa 2.5',
};

const WHAT: Record<string, string> = { fields: 'Felder', conditions: 'Bedingungen', values: 'Werte' };

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
