import { describe, expect, it } from 'vitest';
import { putEvent } from '../../../../server/audit/event.ts';
import { peopleAt, revokePassword } from '../../../../server/identity/revocation.ts';
import { certifySession, openSession } from '../../../../server/identity/session-keys.ts';
import { newPrivateKey, publicKeyOf } from '../../../../server/keys/ed25519.ts';
import { authorProofs } from '../../../../server/rules/author-proof.ts';
import { inputOf } from '../../../../server/rules/input-of.ts';
import { readCommitsAfter, wasHeldFirst } from '../../../../server/store/history.ts';
import type { Author } from '../../../../server/store/unit-of-work.ts';
import { RELEASED } from '../../../../server/sync/protocol/decide-in-log.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { families } from '../../../../shared/families/registry.ts';
import { START } from '../../store/temporary-store.ts';
import { heldOf, type Story, story } from './push-story.ts';
import { giveKey, sessionAt } from './signing-people.ts';

interface Site extends Story {
  olga: { id: number; login: string };
  enter(name: string, author?: Author): Promise<void>;
}

async function site(): Promise<Site> {
  const made = await story();
  const { store } = made.central;
  const id = store.records.findBy('user', 'login', 'olga')[0]?.id ?? 0;
  await giveKey(store, id);
  await made.settle();
  const olga = { id, login: 'olga' };
  return {
    ...made,
    olga,
    enter: (name, author) =>
      made.a.store.gate.commit({
        actor: { rights: { kind: 'person', roles: ['operator'] }, user: 'olga', userId: id, author },
        reason: null,
        work: work => void work.create(families.supplier, inputOf({ name })),
        answer: () => undefined,
      }),
  };
}

const revoke = ({ central, olga }: Site) =>
  central.store.gate.commit({
    actor: { rights: BY_SERVER, user: 'root' },
    reason: 'The dock was stolen.',
    work: work => revokePassword(work, olga.id),
    answer: () => undefined,
  });
const namesAt = ({ central }: Story) =>
  [...central.store.records.all('supplier')].map(({ fields }) => fields.name);
const whyHeld = (made: Story) => heldOf(made).map(({ reason }) => reason);
const REVOKED = expect.stringMatching(/^not_proved: The author's password and key were revoked/);
const FOREIGN = expect.stringMatching(/^not_proved: It is not signed with the author's present key/);

describe("what comes after a person's key was revoked", () => {
  it('is held, whether signed by it, by a session without a key, or by nobody; what came before stands', async () => {
    const made = await site();
    const sign = sessionAt(made.a.store.station, made.olga);
    await made.enter('Before', sign);
    await made.settle();
    await revoke(made);
    const secret = 'c'.repeat(43);
    const about = { user: made.olga, key: undefined, station: made.a.store.station, at: new Date(START) };
    const pending = openSession(secret, certifySession(secret, about))?.sign;
    await made.enter('Signed', sign);
    await made.enter('Pending', pending);
    await made.enter('Unsigned');
    await made.settle();
    expect(whyHeld(made)).toEqual([REVOKED, REVOKED, REVOKED]);
    expect(namesAt(made)).toContain('Before');
    expect(namesAt(made)).not.toContain('Signed');
  });

  it('counts again with the next key, the former one never', async () => {
    const made = await site();
    const sign = sessionAt(made.a.store.station, made.olga);
    await revoke(made);
    const next = newPrivateKey();
    await made.central.store.gate.commit({
      actor: { rights: BY_SERVER, user: 'olga' },
      reason: null,
      work: work => {
        const { fields } = work.require('user', made.olga.id);
        const after = { ...fields, public_key: publicKeyOf(next), password_revoked_at: null };
        work.set(families.user, made.olga.id, after);
      },
      answer: () => undefined,
    });
    await made.enter('Old', sign);
    await made.enter('New', sessionAt(made.a.store.station, made.olga, { key: next }));
    await made.settle();
    expect(whyHeld(made)).toEqual([FOREIGN]);
    expect(namesAt(made)).toContain('New');
  });

  it('says so in history where a person lets it in, and of what came before that it is proved', async () => {
    const made = await site();
    const sign = sessionAt(made.a.store.station, made.olga);
    await made.enter('Before', sign);
    await made.settle();
    await revoke(made);
    await made.enter('After', sign);
    await made.settle();
    const [held] = heldOf(made);
    await made.central.exchange.decideHeld({
      commit: held?.commit.commit_id ?? '',
      decision: RELEASED,
      user: 'root',
      reason: 'She says that it was her.',
      at: START,
    });
    await made.settle();
    for (const { store } of [made.central, made.a]) {
      const { reader } = store.database;
      const proof = authorProofs(store.records, commit => wasHeldFirst(reader, commit));
      const commits = readCommitsAfter(reader, 0, 1_000).filter(({ commit }) => commit.user === 'olga');
      expect(commits.map(({ commit }) => proof(commit))).toEqual(['proved', 'revoked']);
    }
  });
});

it('who signed in at a station is known by its trail, and by what central gave there', async () => {
  const made = await site();
  const { store } = made.central;
  const { station } = made.a.store;
  const idOf = (login: string) => store.records.findBy('user', 'login', login)[0]?.id ?? 0;
  // Of a station that noted no sign-ins, who wrote there.
  await made.enter('Acme', sessionAt(station, made.olga));
  await made.settle();
  expect(await peopleAt(store, station)).toEqual([idOf('olga')]);
  const note = (at: Pick<Story['a'], 'store'>, event: Parameters<typeof putEvent>[1]) =>
    at.store.gate.commit({
      actor: { rights: BY_SERVER, user: 'audit-trail' },
      reason: null,
      work: work => putEvent(work, event),
      answer: () => undefined,
    });
  await note(made.a, { kind: 'signed_in', subject: `user:${idOf('ian')}` });
  await made.settle();
  const given = { kind: 'key_given', subject: `user:${idOf('vera')}`, details: { station } } as const;
  await note(made.central, given);
  await note(made.central, { kind: 'signed_in', subject: `user:${idOf('quinn')}` });
  await note(made.central, {
    kind: 'key_given',
    subject: `user:${idOf('quinn')}`,
    details: { station: 'another' },
  });
  expect(await peopleAt(store, station)).toEqual([idOf('ian'), idOf('vera')]);
});
