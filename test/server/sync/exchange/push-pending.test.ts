import { describe, expect, it } from 'vitest';
import { putEvent } from '../../../../server/audit/event.ts';
import { certifiedBy, certifySession, openSession } from '../../../../server/identity/session-keys.ts';
import type { SessionCertificate } from '../../../../server/keys/authorship.ts';
import { newPrivateKey } from '../../../../server/keys/ed25519.ts';
import { authorProofs } from '../../../../server/rules/author-proof.ts';
import { inputOf } from '../../../../server/rules/input-of.ts';
import { readCommitsAfter } from '../../../../server/store/history.ts';
import { noteSigning } from '../../../../server/store/noted-authorship.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { families } from '../../../../shared/families/registry.ts';
import { START } from '../../store/temporary-store.ts';
import { heldOf, type Story, story } from './push-story.ts';
import { giveKey, personKey } from './signing-people.ts';

interface Site extends Story {
  olga: { id: number; login: string };
  pending: SessionCertificate;
  /** What she enters at the station in a session that began without her key; answers the supplier's id. */
  enter(name: string): Promise<number>;
  change(id: number, name: string): Promise<void>;
  /** What the trail of the station takes to central. */
  tell(certificate: SessionCertificate): Promise<void>;
}

async function site(): Promise<Site> {
  const made = await story();
  const { store } = made.central;
  const id = store.records.findBy('user', 'login', 'olga')[0]?.id ?? 0;
  await giveKey(store, id);
  await made.settle();
  const { store: at } = made.a;
  await store.gate.briefly(() => noteSigning(store.database, at.station));
  const user = { id, login: 'olga' };
  const secret = 'b'.repeat(43);
  const row = certifySession(secret, { user, key: undefined, station: at.station, at: new Date(START) });
  const author = openSession(secret, row)?.sign;
  const actor = {
    rights: { kind: 'person', roles: ['operator'] },
    user: 'olga',
    userId: id,
    author,
  } as const;
  return {
    ...made,
    olga: user,
    pending: JSON.parse(row.certificate),
    enter: name =>
      at.gate.commit({
        actor,
        reason: null,
        work: work => work.create(families.supplier, inputOf({ name })),
        answer: ({ id: given }) => given,
      }),
    change: (supplier, name) =>
      at.gate.commit({
        actor,
        reason: null,
        work: work => void work.update(families.supplier, supplier, inputOf({ primary_name: name })),
        answer: () => undefined,
      }),
    tell: certificate =>
      at.gate.commit({
        actor: { user: 'audit-trail', rights: BY_SERVER },
        reason: null,
        work: work => putEvent(work, { kind: 'session_certified', details: { ...certificate } }),
        answer: () => undefined,
      }),
  };
}

/** After each push central looks for what is to be let in, as the service does. */
async function settle(made: Site): Promise<void> {
  await made.settle();
  await made.central.exchange.letInCertified();
  await made.settle();
}

const namesAt = ({ central }: Story) =>
  [...central.store.records.all('supplier')].map(({ fields }) => fields.name);
const whyHeld = (made: Story) => heldOf(made).map(({ reason }) => reason);
const PENDING = expect.stringMatching(/^not_proved: The author's key was not at the station yet/);

describe('what a person writes at a station that does not have the key yet', () => {
  it('is held, and let in with what follows it once the key has certified the session', async () => {
    const made = await site();
    const id = await made.enter('Acme');
    await made.change(id, 'Ann');
    await settle(made);
    expect(whyHeld(made)).toEqual([PENDING, 'follows']);
    await made.tell(certifiedBy(personKey, made.pending));
    await settle(made);
    expect(whyHeld(made)).toEqual([]);
    const { store } = made.central;
    expect(store.records.get('supplier', id)?.fields).toMatchObject({ name: 'Acme', primary_name: 'Ann' });
    const proof = authorProofs(store.records, () => false);
    const commits = readCommitsAfter(store.database, 0, 1_000).filter(({ commit }) => commit.user === 'olga');
    expect(commits.map(({ commit }) => proof(commit))).toEqual(['proved', 'proved']);
  });

  it('is let in by itself where the certificate is there before it', async () => {
    const made = await site();
    await made.tell(certifiedBy(personKey, made.pending));
    await settle(made);
    await made.enter('Acme');
    await settle(made);
    expect(whyHeld(made)).toEqual([]);
    expect(namesAt(made)).toContain('Acme');
  });

  it('stays held where it lacks something else as well', async () => {
    const made = await site();
    await made.enter('Acme');
    await settle(made);
    const { store } = made.central;
    await store.gate.commit({
      actor: { user: 'root', rights: BY_SERVER },
      reason: null,
      work: work =>
        work.set(families.user, made.olga.id, { ...work.require('user', made.olga.id).fields, roles: [] }),
      answer: () => undefined,
    });
    await made.tell(certifiedBy(personKey, made.pending));
    await settle(made);
    expect(whyHeld(made)).toEqual([PENDING]);
  });

  const lies: [string, (made: Site) => SessionCertificate][] = [
    ['the certificate of another key', ({ pending }) => certifiedBy(newPrivateKey(), pending)],
    ['one that nobody signed', ({ pending }) => ({ ...pending, key: 'A'.repeat(43) })],
    ['one that is empty', ({ pending }) => pending],
    ['that of a station elsewhere', ({ pending }) => certifiedBy(personKey, { ...pending, station: 'b' })],
    ['that of another session', ({ pending }) => certifiedBy(personKey, { ...pending, session_key: 'c' })],
    [
      'that of a session that was over by then',
      ({ pending }) => certifiedBy(personKey, { ...pending, until: '2001-01-01T00:00:00.000Z' }),
    ],
    [
      'a certificate that was altered',
      ({ pending }) => ({ ...certifiedBy(personKey, pending), until: '2099-01-01T00:00:00.000Z' }),
    ],
  ];
  it.each(lies)('is held further after %s', async (_, lie) => {
    const made = await site();
    await made.enter('Acme');
    await settle(made);
    await made.tell(lie(made));
    await settle(made);
    expect(whyHeld(made)).toEqual([PENDING]);
    await made.tell(certifiedBy(personKey, made.pending));
    await settle(made);
    expect(whyHeld(made)).toEqual([]);
  });
});
