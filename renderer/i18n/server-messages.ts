import { germanBackup } from './german-backup.ts';
import { germanCarried } from './german-carried.ts';
import { germanCertificate } from './german-certificate.ts';
import { germanEnrolment, germanPolicy } from './german-enrolment.ts';
import { germanGs1 } from './german-gs1.ts';
import { germanHands } from './german-hands.ts';
import { germanImports } from './german-imports.ts';
import { germanKeys } from './german-keys.ts';
import { germanLists } from './german-lists.ts';
import { germanPast } from './german-past.ts';
import { germanPlaces } from './german-places.ts';
import { germanQuotas } from './german-quotas.ts';
import { germanRefusals } from './german-refusals.ts';
import type { Saying } from './german-remedies.ts';
import { germanRemedies, type Word } from './german-remedies.ts';
import { germanTokens } from './german-tokens.ts';
import { germanValidation } from './german-validation.ts';
import { germanWebhooks } from './german-webhooks.ts';

const sayings: Record<string, readonly Saying[]> = {
  de: [
    ...germanBackup,
    ...germanCarried,
    ...germanCertificate,
    ...germanEnrolment,
    ...germanPolicy,
    ...germanGs1,
    ...germanHands,
    ...germanImports,
    ...germanKeys,
    ...germanPast,
    ...germanPlaces,
    ...germanQuotas,
    ...germanRemedies,
    ...germanRefusals,
    ...germanValidation,
    ...germanTokens,
    ...germanWebhooks,
    ...germanLists,
  ],
};
const leads: Record<string, string> = { de: 'Meldung des Servers, auf Englisch: ' };

/**
 * A message of the server in the language of the screens. The server speaks English; frequent messages are recognised
 * and said with their values, the others are shown as they come, and the reader is told so.
 */
export function serverMessage(message: string, language: string, word: Word): string {
  return knownMessage(message, language, word) ?? `${leads[language] ?? ''}${message}`;
}

/** A message of the contract in the language of the screens; undefined: it is not one that is known. */
export function knownMessage(message: string, language: string, word: Word): string | undefined {
  for (const [pattern, say] of sayings[language] ?? []) {
    const values = pattern.exec(message);
    if (!values) continue;
    return typeof say === 'string' ? say : say(word, ...values.slice(1).map(value => value ?? ''));
  }
  return undefined;
}
