import { expect, it } from 'vitest';
import { publicKeyOf, signText } from '../../../../server/keys/ed25519.ts';
import { authorProofs } from '../../../../server/rules/author-proof.ts';
import { inputOf } from '../../../../server/rules/input-of.ts';
import { signaturesOf } from '../../../../server/rules/signing.ts';
import { readCommitsAfter, wasHeldFirst } from '../../../../server/store/history.ts';
import { otherIdOf } from '../../../../server/store/other-ids.ts';
import type { Store } from '../../../../server/store/store.ts';
import { RELEASED } from '../../../../server/sync/protocol/decide-in-log.ts';
import { families } from '../../../../shared/families/registry.ts';
import { create, START } from '../../store/temporary-store.ts';
import { fleet } from './fleet.ts';
import { personKey } from './signing-people.ts';

/** What the commits that name a record, or the signer's others of it, are shown to prove. */
function proofsOf({ database, records }: Store, key: string) {
  const { reader } = database;
  const proof = authorProofs(records, commit => wasHeldFirst(reader, commit));
  return readCommitsAfter(reader, 0, 10_000)
    .filter(({ commit }) => commit.entries.some(({ subject }) => subject === key))
    .map(({ commit }) => proof(commit));
}

it('a record that got another id after it was signed is shown as proved and moved, at every machine', async () => {
  const made = await fleet(1, { isProving: true, isSigned: true });
  const { central } = made;
  const [dock] = made.stations;
  if (!dock) throw new Error('There is no station.');
  await create(central.store, 'setting', { esignature_policy: 'gxp' }, { id: 1 });
  await create(dock.store, 'supplier', { name: 'Acme' });
  await made.settle();
  const clone = await dock.clone();
  await create(dock.store, 'ncr', { ncr_number: 'N-1', source: 'internal' });
  const ncr = await create(clone.store, 'ncr', { ncr_number: 'N-2', source: 'internal' });
  const signer = clone.store.records.findBy('user', 'login', 'signer')[0]?.id ?? 0;
  await clone.store.gate.commit({
    actor: { rights: { kind: 'person', roles: ['quality'] }, user: 'signer', userId: signer },
    reason: 'Done.',
    signing: {
      signer: {
        id: signer,
        name: 'signer',
        sign: text => ({ key: publicKeyOf(personKey), proof: signText(personKey, text) }),
      },
      reason: 'Done.',
    },
    work: work => work.update(families.ncr, ncr.id, inputOf({ status: 'closed' })),
    answer: () => undefined,
  });
  const signedAt = ({ records, database }: Store, id: number) => {
    const record = records.get('ncr', id);
    return record && signaturesOf({ records, sql: database.reader }, record).map(({ proof }) => proof);
  };
  expect(proofsOf(clone.store, `ncr:${ncr.id}`)).toEqual(['proved', 'proved']);
  expect(signedAt(clone.store, ncr.id)).toEqual(['proved']);

  await dock.settle();
  await clone.settle().catch(() => undefined);
  await dock.settle();
  await clone.separate(central, 9);
  for (let round = 0; round < 4; round += 1) for (const each of [dock, clone]) await each.settle();
  // The signature is not over the record as it stands: a person looks once.
  const held = central.exchange.reader().heldCommits.all();
  expect(held.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^not_proved: /)]);
  await central.exchange.decideHeld({
    commit: held[0]?.commit.commit_id ?? '',
    decision: RELEASED,
    user: 'root',
    reason: 'The disk was copied.',
    at: START,
  });
  for (let round = 0; round < 2; round += 1) for (const each of [dock, clone]) await each.settle();
  const other = otherIdOf(clone.store.database.reader, 'ncr', ncr.id);
  expect(other).not.toBe(ncr.id);
  for (const store of [central.store, dock.store, clone.store]) {
    expect(store.records.get('ncr', other ?? 0)?.fields).toMatchObject({
      ncr_number: 'N-2',
      status: 'closed',
    });
    const proofs = proofsOf(store, `ncr:${other}`);
    expect(proofs.filter(proof => proof === 'moved')).toHaveLength(2);
    expect(proofs).not.toContain('broken');
    expect(signedAt(store, other ?? 0)).toEqual(['moved']);
  }
  expect(central.exchange.reader().heldCommits.all()).toEqual([]);
});
