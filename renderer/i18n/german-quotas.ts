import type { Saying } from './german-remedies.ts';

const AMOUNTS: Record<string, string> = {
  'blocks of ids': 'Nummernblöcke',
  commits: 'Änderungen',
  messages: 'Nachrichten',
};

/** What one station may use of central: `server/sync/central/station-quotas.ts`. */
export const germanQuotas: readonly Saying[] = [
  [
    /^Central takes ([\d,]+) (MB|[a-z ]+) a (day|minute) from one station, and this one has sent them\./s,
    (_word, amount = '', unit = '', per) =>
      `Die Zentrale nimmt von einer Station ${amount.replaceAll(',', '.')} ${AMOUNTS[unit] ?? unit} ${per === 'day' ? 'am Tag' : 'in der Minute'} an, und diese hat so viel gesendet.`,
  ],
  [
    /^Central works out the hashes of ([\d,]+) records a minute for one station\b/s,
    (_word, count = '') =>
      `Die Zentrale rechnet für eine Station die Prüfsummen von ${count.replaceAll(',', '.')} Datensätzen in der Minute aus, und diese hat so viele verlangt. Vergleichen Sie gleich noch einmal.`,
  ],
  [
    /^([\d,]+) of the changes of this station wait for a decision at central\b/s,
    (_word, count = '') =>
      `${count.replaceAll(',', '.')} Änderungen dieser Station warten in der Zentrale auf eine Entscheidung. Sie nimmt weitere an, sobald über einige entschieden ist.`,
  ],
];
