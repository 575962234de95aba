import { readAuthorship, type SessionCertificate } from '../../keys/authorship.ts';
import { certificateToLetIn, forgetToLetIn } from '../../store/noted-authorship.ts';
import type { HoldReason } from '../protocol/decide.ts';
import { RELEASED } from '../protocol/decide-in-log.ts';
import type { HeldCommit } from '../protocol/held-line.ts';
import { PENDING_KEY } from './authored-by.ts';
import { CentralStore } from './central-store.ts';
import { type DecidingParts, decideAllHeld } from './hold-decision.ts';

/** Author in history of what the exchange lets in. */
const EXCHANGE = 'exchange';
const REASON = "The author's key was not at the station then. It has certified the session since.";
const HELD_FOR_KEY = `${'not_proved' satisfies HoldReason}: ${PENDING_KEY}`;

/**
 * Releases what was held for nothing but that its author's key was not at the station, where that key has certified the session
 * since. What would be held for another reason now stays held.
 */
export async function letInCertified(parts: DecidingParts, clock: () => Date): Promise<void> {
  const { store, terms } = parts;
  const { database, gate, records } = store;
  for (;;) {
    const certificate = certificateToLetIn(database.reader);
    if (!certificate) return;
    const { heldCommits } = new CentralStore(store, database.reader, key => records.getByKey(key));
    const waiting = heldCommits.heldOf(certificate.station).filter(held => isOf(held, certificate));
    await decideAllHeld(parts, {
      commits: waiting.map(({ commit }) => commit.commit_id),
      decision: RELEASED,
      user: EXCHANGE,
      reason: REASON,
      at: clock().toISOString(),
      isFit: (commit, read) => terms.permissionFault?.(commit, read) === undefined,
    });
    await gate.together(async () => forgetToLetIn(database, certificate));
  }
}

function isOf({ commit, reason }: HeldCommit, { session_key: key }: SessionCertificate): boolean {
  return reason === HELD_FOR_KEY && readAuthorship(commit.authorship)?.session.session_key === key;
}
