import { expect, it } from 'vitest';
import { authoredText, readAuthorship } from '../../../server/keys/authorship.ts';
import { authorProofs } from '../../../server/rules/author-proof.ts';
import { readCommitsAfter } from '../../../server/store/history.ts';
import { families } from '../../../shared/families/registry.ts';
import { create, temporaryStore } from '../store/temporary-store.ts';
import { employSigner, signEverything } from '../sync/exchange/signing-people.ts';

it('tells what is from before keys from what was let in without one, and from what was signed elsewhere', async () => {
  const store = await temporaryStore();
  await create(store, 'supplier', { name: 'Bare' }, { user: 'olga' });
  const olga = await employSigner(store, 'olga');
  signEverything(store, olga);
  const { key } = await create(store, 'supplier', { name: 'Signed' });
  const commits = readCommitsAfter(store.database.reader, 0, 100).map(({ commit }) => commit);
  const [bare] = commits;
  const signed = commits.at(-1);
  const authorship = readAuthorship(signed?.authorship);
  if (!bare || !signed || !authorship) throw new Error('Nothing was signed.');
  const proofOf = authorProofs(store.records, () => false);
  expect([proofOf(bare), proofOf(signed), proofOf({ ...bare, user: 'scale' })]).toEqual([
    'unsigned',
    'proved',
    'program',
  ]);
  expect(authorProofs(store.records, () => true)(bare)).toBe('without');

  // As an installation that joined issues it again; nobody here has had that key.
  const moved = {
    ...signed,
    commit_id: 'b'.repeat(signed.commit_id.length),
    entries: signed.entries.map(entry => ({
      ...entry,
      subject: entry.subject.replace(key, 'supplier:2097153'),
    })),
    authorship: { ...authorship, signed: authoredText(signed, authorship.session, authorship.seen) },
  };
  expect(proofOf(moved)).toBe('moved');
  await store.gate.commit({
    actor: { user: 'central', rights: { kind: 'server', roles: [] } },
    reason: null,
    work: work => {
      const { public_key: _key, ...fields } = work.require('user', olga.id).fields;
      work.set(families.user, olga.id, { ...fields, public_key: null });
    },
    answer: () => undefined,
  });
  expect(authorProofs(store.records, () => false)(moved)).toBe('brought');
});
