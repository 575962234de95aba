import { expect, it, onTestFinished } from 'vitest';
import { keptEvents } from '../../../server/audit/kept-events.ts';
import { createTrail } from '../../../server/audit/trail.ts';
import { createIdentity } from '../../../server/identity/identity.ts';
import { createPasswords } from '../../../server/identity/passwords.ts';
import { readAuthorship } from '../../../server/keys/authorship.ts';
import { newPrivateKey, publicKeyOf } from '../../../server/keys/ed25519.ts';
import { inputOf } from '../../../server/rules/input-of.ts';
import { readCommitsAfter } from '../../../server/store/history.ts';
import { identityTables, type UserKey } from '../../../server/store/identity-tables.ts';
import { BY_SERVER } from '../../../shared/contract/permission.ts';
import { families } from '../../../shared/families/registry.ts';
import { create, START, temporaryStore } from '../store/temporary-store.ts';

const PASSWORD = 'staple window river';
const cost = { log2N: 10, r: 8, p: 1 };

/** A station that was just updated: it has the password of before, and has not read of the key that central made since. */
async function updated() {
  const store = await temporaryStore();
  const { id } = await create(store, 'user', { login: 'olga', name: 'Olga', roles: ['operator'] });
  const passwords = createPasswords({ cost });
  const own = newPrivateKey();
  const [hash, sealed] = [await passwords.hash(PASSWORD), await passwords.seal(PASSWORD, own)];
  const secret = { user_id: id, hash, version: 1, changed_at: START };
  await store.gate.together(async () => identityTables(store.database).putSecret(secret));
  const given: UserKey = {
    user_id: id,
    public_key: publicKeyOf(own),
    sealed,
    version: 1,
    changed_at: START,
  };
  const identity = createIdentity({
    store,
    trail: createTrail({
      store,
      kept: keptEvents(store.database.folder),
      onLost: () => {},
      onFault: () => {},
    }),
    clock: () => new Date(START),
    isEnrolled: () => true,
    onLockout: () => {},
    closeStreams: () => {},
    passwordCost: cost,
    askCentral: { key: async () => given, takeSecrets: async () => {}, isAway: () => false },
    onFault: error => {
      throw error;
    },
  });
  onTestFinished(() => identity.close());
  /** As the log brings it. */
  const hear = (publicKey: string) =>
    store.gate.commit({
      actor: { user: 'sign-in', rights: BY_SERVER },
      reason: null,
      work: work =>
        void work.set(families.user, id, {
          ...work.require('user', id).fields,
          public_key: publicKey,
        }),
      answer: () => undefined,
    });
  const { secret: cookie } = await identity.signIn('olga', PASSWORD, { address: '::1', cookies: undefined });
  /** What a commit of the session is signed by now; the empty text while the key is pending. */
  const signs = async () => {
    const session = identity.sessions.identify(cookie, true);
    if (!session) throw new Error('The session is over.');
    const { author, isLocked, needsPassword } = session;
    if (isLocked || needsPassword) return 'locked';
    const actor = { user: 'olga', userId: id, rights: BY_SERVER, ...(author && { author }) };
    await store.gate.commit({
      actor,
      reason: null,
      work: work => void work.create(families.supplier, inputOf({ name: 'Acme' })),
      answer: () => undefined,
    });
    const last = readCommitsAfter(store.database.reader, 0, 1_000).at(-1);
    return readAuthorship(last?.commit.authorship)?.session.key;
  };
  return { own: publicKeyOf(own), hear, signs };
}

it('a session that began before the station had read of the key signs with it once it has', async () => {
  const { own, hear, signs } = await updated();
  expect(await signs()).toBe('');
  await hear(own);
  await expect.poll(signs).toBe(own);
});

it('stays pending where the log names another key than central gave', async () => {
  const { hear, signs } = await updated();
  await hear(publicKeyOf(newPrivateKey()));
  expect(await signs()).toBe('');
});
