import { certifySession, openSession } from '../../../../server/identity/session-keys.ts';

import { newPrivateKey, publicKeyOf } from '../../../../server/keys/ed25519.ts';
import type { Store } from '../../../../server/store/store.ts';
import type { Author } from '../../../../server/store/unit-of-work.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { families } from '../../../../shared/families/registry.ts';
import { create, START } from '../../store/temporary-store.ts';

/** The key of a person in these tests. */
export const personKey = newPrivateKey();

/** What signs for a session of the person at a station, as signing in makes it. */
export function sessionAt(
  station: string,
  user: { id: number; login: string },
  { key = personKey, at = START }: { key?: typeof personKey; at?: string } = {},
): Author {
  const secret = 'a'.repeat(43);
  const row = certifySession(secret, { user, key, station, at: new Date(at) });
  const opened = openSession(secret, row);
  if (!opened) throw new Error('The session does not open.');
  return opened.sign;
}

/** A person with a key, who may do everything. */
export async function employSigner(store: Store, login: string): Promise<{ id: number; login: string }> {
  const roles = ['operator', 'inspector', 'quality', 'administrator'];
  const { id } = await create(store, 'user', { login, name: login, roles });
  await giveKey(store, id);
  return { id, login };
}

/** As signing in with a password does it. */
export function giveKey(store: Store, id: number, key = personKey): Promise<void> {
  return store.gate.commit({
    actor: { rights: BY_SERVER, user: 'sign-in' },
    reason: null,
    work: work => {
      work.set(families.user, id, { ...work.require('user', id).fields, public_key: publicKeyOf(key) });
    },
    answer: () => undefined,
  });
}

/** From now on everything that tests write there is by this person's session. */
export function signEverything(store: Store, user: { id: number; login: string }): void {
  const commit = store.gate.commit.bind(store.gate);
  const author = sessionAt(store.station, user);
  store.gate.commit = request =>
    commit({ ...request, actor: { ...request.actor, user: user.login, userId: user.id, author } });
}
