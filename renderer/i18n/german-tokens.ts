import type { Saying } from './german-remedies.ts';

/** What bounds tokens: `server/identity/token-bounds.ts`. */
export const germanTokens: readonly Saying[] = [
  [
    /^(.+) is over\. Give a moment to come, or none\.$/s,
    (_, end) => `${end} ist vorbei. Geben Sie einen späteren Tag an, oder keinen.`,
  ],
  [
    /^(.+) is no address and no network\. Give one such as (\S+) or (\S+)\.$/s,
    (_, text, address, network) =>
      `${text} ist keine Adresse und kein Netz. Geben Sie etwas wie ${address} oder ${network} an.`,
  ],
  [
    /^There are (\d+) networks\. The most is (\d+)\.$/,
    (_, count, most) => `Es sind ${count} Netze. Höchstens ${most} sind möglich.`,
  ],
  [
    /^A token that administers reaches everything\..*$/s,
    'Ein Token, das verwaltet, erreicht alles. Lassen Sie die Datensätze weg, oder geben Sie ihm weniger Rechte.',
  ],
];
