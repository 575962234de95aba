import { describe, expect, it } from 'vitest';
import { inputOf } from '../../../../server/rules/input-of.ts';
import type { Fields } from '../../../../server/store/changes.ts';
import { RELEASED } from '../../../../server/sync/protocol/decide-in-log.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { families } from '../../../../shared/families/registry.ts';
import { create, update } from '../../store/temporary-store.ts';
import { areSame } from './fleet.ts';
import { heldOf, SAID, type Story, story } from './push-story.ts';

/** The site signs by the preset `gxp`, and the station knows it or does not. */
async function signingSite({ isKnown = true } = {}): Promise<Story> {
  const made = await story();
  await create(made.central.store, 'setting', { esignature_policy: 'gxp' }, { id: 1 });
  if (isKnown) await made.settle();
  return made;
}

function idOf({ central }: Story, login: string): number {
  const known = [...central.store.records.all('user')].find(({ fields }) => fields.login === login);
  if (!known) throw new Error(`There is no ${login}.`);
  return known.id;
}

/** Closes the report as a person of quality does at a station that signs. */
async function close(site: Story, login: string): Promise<void> {
  const id = idOf(site, login);
  await site.a.store.gate.commit({
    actor: { rights: { kind: 'person', roles: ['quality'] }, user: login, userId: id },
    reason: 'Done.',
    signing: { signer: { id, name: login }, reason: 'Done.' },
    work: work => work.update(families.ncr, site.ncr, inputOf({ status: 'closed' })),
    answer: () => undefined,
  });
}

/** Closes it past the rules, with a signature beside it that says this, or with none. */
async function closeBeside({ a, ncr }: Story, signature?: (at: string) => Fields): Promise<void> {
  await a.store.gate.commit({
    actor: { rights: BY_SERVER, user: 'quinn' },
    reason: 'Done.',
    work: work => {
      work.set(families.ncr, ncr, { ...work.require('ncr', ncr).fields, status: 'closed' });
      if (!signature) return;
      const own = { subject: `ncr:${ncr}`, user_name: 'quinn' };
      work.insert(families.signature, { ...own, ...signature(work.at) });
    },
    answer: () => undefined,
  });
}

const isClosed = ({ central, ncr }: Story) =>
  central.store.records.get('ncr', ncr)?.fields.status === 'closed';
const whyHeld = (site: Story) => heldOf(site).map(({ reason }) => reason);

describe('an act that the site wants signed', () => {
  it('comes through with the signature of its author', async () => {
    const site = await signingSite();
    await close(site, 'quinn');
    await site.settle();
    expect(whyHeld(site)).toEqual([]);
    expect(isClosed(site)).toBe(true);
    expect(areSame(site.stores())).toBe(true);
  });

  it('is held without one, alone', async () => {
    const site = await signingSite();
    await closeBeside(site);
    const next = await create(site.a.store, 'supplier', { name: 'Behind it' }, { user: 'olga' });
    await site.settle();
    expect(whyHeld(site)).toEqual(['not_signed: the closing of a report needs a signature of its author.']);
    expect(isClosed(site)).toBe(false);
    expect(site.central.store.records.getByKey(next.key)?.fields.name).toBe('Behind it');
  });

  it.each<[string, (site: Story) => (at: string) => Fields]>([
    ['another person’s', site => at => ({ user_id: idOf(site, 'gone'), at, meaning: 'closing' })],
    [
      'one of another day',
      site => () => ({ user_id: idOf(site, 'quinn'), at: '2025-10-01T08:00:00.000Z', meaning: 'closing' }),
    ],
    ['one of another meaning', site => at => ({ user_id: idOf(site, 'quinn'), at, meaning: 'verdict' })],
  ])('is held with %s', async (_, signature) => {
    const site = await signingSite();
    await closeBeside(site, signature(site));
    await site.settle();
    expect(whyHeld(site)).toEqual([expect.stringMatching(/^not_signed: /)]);
    expect(isClosed(site)).toBe(false);
  });

  it('is held with the signature of another record', async () => {
    const site = await signingSite();
    const { a, ncr, car } = site;
    await a.store.gate.commit({
      actor: { rights: BY_SERVER, user: 'quinn' },
      reason: 'Done.',
      work: work => {
        work.set(families.ncr, ncr, { ...work.require('ncr', ncr).fields, status: 'closed' });
        work.set(families.car, car, { ...work.require('car', car).fields, title: 'Other' });
        const own = { user_id: idOf(site, 'quinn'), user_name: 'quinn' };
        const signature = { ...own, at: work.at, meaning: 'closing' };
        work.insert(families.signature, { subject: `car:${car}`, ...signature });
      },
      answer: () => undefined,
    });
    await site.settle();
    expect(whyHeld(site)).toEqual([expect.stringMatching(/^not_signed: the closing of a report/)]);
  });

  it('of a station that had not heard of it is held until somebody lets it in', async () => {
    const site = await signingSite({ isKnown: false });
    const { a, central, ncr, car } = site;
    await update(a.store, 'ncr', ncr, { status: 'closed' }, { user: 'quinn', ...SAID });
    await update(a.store, 'car', car, { date_closed: '2026-06-10' }, { user: 'quinn', ...SAID });
    await site.settle();
    expect(whyHeld(site)).toEqual([
      expect.stringMatching(/^not_signed: /),
      expect.stringMatching(/^not_signed: /),
    ]);
    const at = '2026-06-15T12:00:00.000Z';
    for (const { commit } of heldOf(site)) {
      const decision = {
        commit: commit.commit_id,
        decision: RELEASED,
        user: 'quinn',
        reason: 'Before.',
        at,
      } as const;
      await central.exchange.decideHeld(decision);
    }
    await site.settle();
    expect(isClosed(site)).toBe(true);
    expect(areSame(site.stores())).toBe(true);
  });

  it('is held where its author approves what that person wrote last', async () => {
    const site = await signingSite();
    const { a, template } = site;
    const signed = (fields: Fields) =>
      a.store.gate.commit({
        actor: { rights: BY_SERVER, user: 'quinn' },
        reason: 'Fine.',
        work: work => {
          const { fields: before } = work.require('specification', template);
          work.set(families.specification, template, { ...before, ...fields });
          const own = { user_id: idOf(site, 'quinn'), user_name: 'quinn' };
          const signature = { ...own, at: work.at, meaning: 'approval' };
          work.insert(families.signature, { subject: `specification:${template}`, ...signature });
        },
        answer: () => undefined,
      });
    await signed({ is_approved: false, name: 'Wide' });
    await signed({ is_approved: true });
    await site.settle();
    expect(whyHeld(site)).toEqual([
      'not_signed: the approval of a template is signed by another person than its last author.',
    ]);
  });

  it('is held with a signature that gives no reason where the site asks for one', async () => {
    const site = await signingSite();
    await closeBeside(site, at => ({ user_id: idOf(site, 'quinn'), at, meaning: 'closing' }));
    await site.settle();
    expect(whyHeld(site)).toEqual(['not_signed: the closing of a report needs a signature with a reason.']);
  });

  it('is held where a program wrote between its author and the signature of the same person', async () => {
    const site = await signingSite();
    const { central, template } = site;
    await update(central.store, 'specification', template, { name: 'Wide' }, { user: 'quinn' });
    await update(central.store, 'specification', template, { notes: 'Read.' }, { user: 'scale' });
    await site.settle();
    await site.a.store.gate.commit({
      actor: { rights: BY_SERVER, user: 'QUINN' },
      reason: 'Fine.',
      work: work => {
        const { fields } = work.require('specification', template);
        work.set(families.specification, template, { ...fields, is_approved: true });
        const signer = { user_id: idOf(site, 'quinn'), user_name: 'quinn' };
        const own = { ...signer, at: work.at, meaning: 'approval', reason: 'Fine.' };
        work.insert(families.signature, { subject: `specification:${template}`, ...own });
      },
      answer: () => undefined,
    });
    await site.settle();
    expect(whyHeld(site)).toEqual([
      'not_signed: the approval of a template is signed by another person than its last author.',
    ]);
  });

  it('is no decision where two stations had written the same', async () => {
    const site = await signingSite();
    const { a, central, ncr } = site;
    await update(central.store, 'ncr', ncr, { status: 'in_review' }, { user: 'quinn' });
    await update(a.store, 'ncr', ncr, { status: 'in_review' }, { user: 'quinn' });
    await site.settle();
    await close(site, 'quinn');
    await site.settle();
    expect(whyHeld(site)).toEqual([]);
    expect(isClosed(site)).toBe(true);
  });

  it('is taken without one where the site signs nothing', async () => {
    const site = await story();
    await closeBeside(site);
    await site.settle();
    expect(whyHeld(site)).toEqual([]);
  });
});
