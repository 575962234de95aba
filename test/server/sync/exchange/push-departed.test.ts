import { describe, expect, it } from 'vitest';
import type { Commit } from '../../../../server/store/changes.ts';
import { createAuthors } from '../../../../server/sync/central/authors.ts';
import { permissionFault } from '../../../../server/sync/central/push-permission.ts';
import { sha256 } from '../../../../server/sync/log/log.ts';
import { RELEASED } from '../../../../server/sync/protocol/decide-in-log.ts';
import { commitHash } from '../../../../server/sync/protocol/log.ts';
import { START, update } from '../../store/temporary-store.ts';
import { areSame } from './fleet.ts';
import { heldOf, SAID, type Story, story } from './push-story.ts';
import { giveKey, signEverything } from './signing-people.ts';

interface Site extends Story {
  /** A person of quality, who loses the right. */
  gone: { id: number; login: string };
}

async function site(): Promise<Site> {
  const made = await story();
  const { store } = made.central;
  const id = store.records.findBy('user', 'login', 'gone')[0]?.id ?? 0;
  return { ...made, gone: { id, login: 'gone' } };
}

const loosen = ({ a, part }: Story, sampling_aql: string, user: string) =>
  update(a.store, 'part', part, { sampling_aql }, { user, ...SAID });
const standing = ({ central, part }: Story) => central.store.records.get('part', part)?.fields.sampling_aql;
const whyHeld = (made: Story) => heldOf(made).map(({ reason }) => reason);
const dismiss = ({ central, gone }: Site) => update(central.store, 'user', gone.id, { is_active: false });
const degrade = ({ central, gone }: Site) => update(central.store, 'user', gone.id, { roles: ['viewer'] });

/** A person at central lets in the oldest that is held. */
async function releaseFirst(made: Story): Promise<void> {
  const commit = heldOf(made)[0]?.commit.commit_id ?? '';
  const at = '2026-06-15T12:00:00.000Z';
  await made.central.exchange.decideHeld({ commit, decision: RELEASED, user: 'quinn', reason: 'Seen.', at });
  await made.settle();
}

const NOT = expect.stringMatching(/^not_permitted: /);
const LOST = expect.stringMatching(/^right_lost: /);

describe('what central had of a person before they lost the right', () => {
  it.each([
    ['are dismissed', dismiss],
    ['lose the role', degrade],
  ] as const)('stands though it waited for what was held before it: they %s', async (_, end) => {
    const made = await site();
    await loosen(made, '10', 'olga');
    await loosen(made, '6.5', 'gone');
    await made.settle();
    expect(whyHeld(made)).toEqual([NOT, 'follows']);
    await end(made);
    await releaseFirst(made);
    expect(whyHeld(made)).toEqual([]);
    expect(standing(made)).toBe('6.5');
    expect(areSame(made.stores())).toBe(true);
  });

  it('stays held where they had no right by then either', async () => {
    const made = await site();
    await loosen(made, '10', 'olga');
    await loosen(made, '6.5', 'gone');
    await dismiss(made);
    await made.settle();
    expect(whyHeld(made)).toEqual([NOT, 'follows']);
    await releaseFirst(made);
    expect(whyHeld(made)).toEqual([LOST]);
  });

  it('is that commit and no other one that is sent under its id', async () => {
    const made = await site();
    await loosen(made, '10', 'olga');
    await loosen(made, '6.5', 'gone');
    await made.settle();
    await dismiss(made);
    const [, waiting] = heldOf(made);
    if (!waiting) throw new Error();
    const authors = createAuthors(made.central.store, () => new Date(START));
    const judge = (commit: Commit) => permissionFault(commit, made.central.exchange.reader(), authors);
    expect(judge(waiting.commit)).toBeUndefined();
    const changes = [{ path: 'sampling_aql', old: null, new: '4.0', over: [] }];
    const altered = { ...waiting.commit, entries: [{ subject: `part:${made.part}`, changes }] };
    expect(judge({ ...altered, hash: commitHash(altered, sha256) })).toEqual(LOST);
  });
});

describe('what comes of a person who lost the right', () => {
  it('is decided together where their machine had not heard of it, whatever it says of before', async () => {
    const made = await site();
    await giveKey(made.central.store, made.gone.id);
    await made.settle();
    signEverything(made.a.store, made.gone);
    await dismiss(made);
    // Whether it was written before nobody can tell: the log that it saw is as old, and so is its clock.
    await loosen(made, '6.5', 'gone');
    await made.settle();
    expect(whyHeld(made)).toEqual([LOST]);
    expect(standing(made)).not.toBe('6.5');
  });

  it('is held alone where it was signed over a log that says so', async () => {
    const made = await site();
    await giveKey(made.central.store, made.gone.id);
    await dismiss(made);
    await made.settle();
    signEverything(made.a.store, made.gone);
    await loosen(made, '6.5', 'gone');
    await made.settle();
    expect(whyHeld(made)).toEqual([NOT]);
  });

  it('is decided together where they got it and lost it since', async () => {
    const made = await site();
    await giveKey(made.central.store, made.gone.id);
    await dismiss(made);
    await made.settle();
    signEverything(made.a.store, made.gone);
    await loosen(made, '6.5', 'gone');
    await update(made.central.store, 'user', made.gone.id, { is_active: true });
    await dismiss(made);
    await made.settle();
    expect(whyHeld(made)).toEqual([LOST]);
  });
});
