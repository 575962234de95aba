import { pageMeta } from '../../../shared/contract/envelope.ts';
import type { ClockStandingAnswer } from '../../../shared/operations/clock-operations.ts';
import { readClockFacts } from '../../store/clock-facts.ts';
import { saysUnconfirmed } from '../../store/clock-says.ts';
import type { Store } from '../../store/store.ts';
import { success } from '../reply.ts';
import type { Handlers } from './handler.ts';
import { bodyOf } from './parse-body.ts';

/** Whether this machine's clock is believed. */
export const clockHandlers = {
  'x.clock.read': ({ store, clock }) =>
    success({ now: clock().toISOString(), standing: clockStanding(store) }),

  'x.clock.facts': ({ store }, context) => {
    const { page, perPage } = context.query.page();
    const range = { offset: (page - 1) * perPage, limit: perPage };
    const { total, facts } = readClockFacts(store.database.reader, range);
    return success(facts, { meta: { ...pageMeta(page, perPage, total, facts.length) } });
  },

  'x.clock.confirm': async ({ store, trail }, context) => {
    const { step, reason } = bodyOf(context);
    const confirmed = await store.gate.together(async () =>
      store.clockWatch.confirm(step, context.user, reason),
    );
    await trail.takeKept();
    return success(confirmed);
  },
} satisfies Partial<Handlers>;

/** How a clock stands that is not confirmed; null while it is believed. */
export function clockStanding({ clockWatch }: Pick<Store, 'clockWatch'>): ClockStandingAnswer | null {
  const standing = clockWatch.standing();
  if (!standing) return null;
  const { step = null, atLeast, offset } = standing;
  return { step, at_least: atLeast, offset_ms: Math.round(offset), says: saysUnconfirmed(standing) };
}
