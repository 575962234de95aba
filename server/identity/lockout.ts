import { BY_SERVER } from '../../shared/contract/permission.ts';
import type { StoredRecord } from '../../shared/contract/present.ts';
import { families } from '../../shared/families/registry.ts';
import { type AuditEvent, putEvent } from '../audit/event.ts';
import type { Store } from '../store/store.ts';
import type { Attempt } from './attempts.ts';

/** Author in history of what wrong passwords do. */
const SIGN_IN = 'sign-in';

/** As the trail has it. */
export function lockoutEvent(
  { id, fields }: StoredRecord,
  { door, place }: Pick<Attempt, 'door' | 'place'>,
  address: string,
): AuditEvent {
  const { login, name } = fields;
  return {
    kind: 'locked_out',
    subject: `user:${id}`,
    ...(typeof login === 'string' && { author: login }),
    ...(typeof name === 'string' && { author_name: name }),
    address,
    details: { door, from: place.split(' ')[0] },
  };
}

/** In the user's record, with its event. */
export async function noteLockout({ gate }: Store, userId: number, event: AuditEvent): Promise<void> {
  await gate.commit({
    actor: { user: SIGN_IN, rights: BY_SERVER },
    reason: 'Ten wrong passwords: locked out for 15 minutes where they were given.',
    work: work => {
      const { fields } = work.require('user', userId);
      work.set(families.user, userId, { ...fields, locked_out_at: work.at });
      putEvent(work, event);
    },
    answer: () => undefined,
  });
}
