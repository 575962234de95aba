import { describe, expect, it } from 'vitest';
import { mapOf } from '../../../../server/store/changes.ts';
import { newCommitId } from '../../../../server/store/commit-id.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { siblingsOf } from '../../../../server/sync/protocol/siblings.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { BY_SERVER } from '../../../../shared/contract/permission.ts';
import { families } from '../../../../shared/families/registry.ts';
import { create, update } from '../../store/temporary-store.ts';
import { heldOf, type Story, story } from './push-story.ts';

const AT = '2026-06-15T12:00:00.000Z';

/** Sends one commit of altered code: values of records, each over what stands at central. */
async function send(
  { a, central }: Story,
  user: string,
  values: Record<string, Record<string, unknown>>,
): Promise<void> {
  const read = central.exchange.reader();
  const station = new StationStore(a.store, syncRules, a.store.database);
  const entries = Object.entries(values).map(([subject, fields]) => ({
    subject,
    changes: Object.entries(fields).map(([path, value]) => {
      const [standing] = siblingsOf(read, subject, path);
      return { path, old: null, new: value, over: standing ? [standing.commit] : [] };
    }),
  }));
  const commit = { commit_id: newCommitId(), at: AT, clock_offset: null, user, reason: 'Looks good.' };
  await station.writeOwn(() => [{ ...commit, entries }]);
}

const lockOf = ({ a, lot }: Story, is_locked_by_person: boolean) =>
  a.store.gate.commit({
    actor: { rights: BY_SERVER, user: 'quinn' },
    reason: 'Fine.',
    work: work =>
      work.set(families.inventory, lot, { ...work.require('inventory', lot).fields, is_locked_by_person }),
    answer: () => undefined,
  });

const fieldsOf = ({ central }: Story, key: string) => central.store.records.getByKey(key)?.fields ?? {};
const whyHeld = (site: Story) => heldOf(site).map(({ reason }) => reason);
const NOT = expect.stringMatching(/^not_permitted: /);

/** A correction as the rules write it of a later expiry, but for what stood before. */
function waiting({ receipt, line, central }: Story, before: string) {
  const subject = `receiving-inspection:${receipt}`;
  const path = `items.${line}.expiry_date`;
  const { items } = central.store.records.get('receiving-inspection', receipt)?.fields ?? {};
  const lots = [mapOf(mapOf(items)[line]).inventory_id];
  const about = { subject, path, author: 'olga', status: 'awaiting', lots };
  return { [subject]: { [path]: '2031-01-01' }, 'correction:1048700': { ...about, old_value: before } };
}

describe('a correction of an altered station', () => {
  it('says what stood before', async () => {
    const site = await story();
    await send(site, 'olga', waiting(site, '2030-01-01'));
    await site.settle();
    expect(whyHeld(site)).toEqual(['not_permitted: old_value is not what stood before.']);
    const honest = await story();
    await send(honest, 'olga', waiting(honest, '2026-07-01'));
    await honest.settle();
    expect(whyHeld(honest)).toEqual([]);
  });

  it.each<[string, (site: Story) => Record<string, unknown>]>([
    ['lots', ({ lot }) => ({ lots: [lot] })],
    ['a lot number', () => ({ lots: [], batch_number: 'O' })],
  ])('locks %s of its own record only', async (_, odd) => {
    const site = await story();
    const subject = `receiving-inspection:${site.receipt}`;
    const about = { subject, path: 'notes', author: 'olga', status: 'awaiting' };
    await send(site, 'olga', {
      [subject]: { notes: 'Seen' },
      'correction:1048700': { ...about, ...odd(site) },
    });
    await site.settle();
    expect(whyHeld(site)).toEqual(['not_permitted: It locks a lot that its record does not speak of.']);
  });

  it.each<[string, string, (site: Story) => Record<string, unknown>]>([
    ['to lock a foreign lot', 'olga', ({ lot }) => ({ lots: [lot] })],
    ['to lock none', 'quinn', () => ({ lots: [] })],
    ['to wait no more', 'quinn', () => ({ status: 'recorded' })],
    ['to say something else', 'quinn', () => ({ new_value: '2026-07-02' })],
  ])('is not changed %s', async (_, user, odd) => {
    const site = await story();
    const { 'correction:1048700': fields, ...rest } = waiting(site, '2026-07-01');
    const { lots: own } = Object(fields);
    await send(site, 'olga', { ...rest, 'correction:1048700': { ...fields } });
    await site.settle();
    expect(whyHeld(site)).toEqual([]);
    const said: Record<string, unknown> = odd(site);
    const lots = Array.isArray(said.lots) && said.lots.length > 0 ? { lots: [...own, ...said.lots] } : {};
    await send(site, user, {
      [`receiving-inspection:${site.receipt}`]: { notes: 'Seen' },
      'correction:1048700': { ...said, ...lots },
    });
    await site.settle();
    expect(whyHeld(site)).toEqual([NOT]);
  });

  it('names nobody who accepted it, and no other author, as it is made', async () => {
    for (const odd of [{ acceptor: 'quinn' }, { author_id: 1_000_000 }]) {
      const site = await story();
      const { 'correction:1048700': fields, ...rest } = waiting(site, '2026-07-01');
      await send(site, 'olga', { ...rest, 'correction:1048700': { ...fields, ...odd } });
      await site.settle();
      expect(whyHeld(site)).toEqual([NOT]);
    }
  });

  it.each(['own', 'in another’s name', 'without a reason', 'as it is done'])('is accepted %s', async how => {
    const site = await story();
    const { central, correction } = site;
    const key = `correction:${correction}`;
    const quinn = [...central.store.records.all('user')].find(({ fields }) => fields.login === 'quinn');
    if (how === 'own') {
      await central.store.gate.commit({
        actor: { rights: BY_SERVER, user: 'quinn' },
        reason: null,
        work: work =>
          work.set(families.correction, correction, {
            ...work.require('correction', correction).fields,
            author: 'quinn',
          }),
        answer: () => undefined,
      });
      await site.settle();
    }
    const accepted = {
      status: 'accepted',
      accepted_by: quinn?.id,
      acceptor: how === 'in another’s name' ? 'gone' : 'quinn',
      accepted_at: AT,
      ...(how !== 'without a reason' && { acceptance_reason: 'Fine.' }),
    };
    await send(site, 'quinn', { [key]: accepted });
    await site.settle();
    expect(whyHeld(site)).toEqual(how === 'as it is done' ? [] : [NOT]);
  });
});

it('another person is another user, however the login is spelt', async () => {
  const site = await story();
  await update(site.central.store, 'inspection', site.open, { passed: false }, { user: 'quinn' });
  await site.settle();
  await send(site, 'QUINN', { [`inspection:${site.open}`]: { passed: true, is_against_measurements: true } });
  await site.settle();
  expect(whyHeld(site)).toEqual([NOT]);
});

describe('a lock', () => {
  it('is lifted by no report that somebody points at an inspection', async () => {
    const site = await story();
    const { id } = await create(site.central.store, 'inspection', { entity_id: site.part }, { user: 'ian' });
    await site.settle();
    await send(site, 'scale', { [`ncr:${site.ncr}`]: { rework_inspection_id: id } });
    await site.settle();
    expect(whyHeld(site)).toEqual(['not_permitted: rework_inspection_id needs the role quality.']);
  });

  it('is lifted by no inspection that has not passed', async () => {
    const site = await story();
    const { ncr, lot, open, central } = site;
    await update(central.store, 'ncr', ncr, { disposition: 'rework' }, { user: 'quinn', reason: 'Again.' });
    await site.settle();
    const rework = fieldsOf(site, `ncr:${ncr}`).rework_inspection_id;
    expect(rework).not.toBe(open);
    await send(site, 'ian', {
      [`inventory:${lot}`]: { is_locked_by_person: false },
      [`ncr:${ncr}`]: { is_lock_lifted: true },
      [`inspection:${rework}`]: { sample_size: 2 },
    });
    await site.settle();
    expect(whyHeld(site)).toEqual(['not_permitted: is_locked_by_person needs the role quality.']);
    expect(fieldsOf(site, `inventory:${lot}`).is_locked_by_person).toBe(true);
  });
});

describe('stock of a locked lot', () => {
  const OPENED = 'inventory:1048700';
  const anew = { batch_number: 'O', expiry_date: '2031-01-01' };
  it.each<[string, (site: Story) => Record<string, Record<string, unknown>>[]]>([
    ['opened', ({ part }) => [{ [OPENED]: { part_id: part, ...anew, opening_quantity: 9 } }]],
    [
      'opened in two steps',
      ({ part }) => [{ [OPENED]: { part_id: part, batch_number: 'N' } }, { [OPENED]: anew }],
    ],
  ])('is not %s anew beside the lock', async (_, steps) => {
    const site = await story();
    for (const values of steps(site)) {
      await send(site, 'quinn', values);
      await site.settle();
    }
    expect(whyHeld(site)).toEqual([
      expect.stringMatching(/^not_permitted: batch_number O is that of the locked/),
    ]);
  });

  it('is opened once the lock is lifted, both of which arrive together', async () => {
    const site = await story();
    const { a, central, inspection, open, lab, correction, part } = site;
    // All that locks it but the person.
    await central.store.gate.commit({
      actor: { rights: BY_SERVER, user: 'quinn' },
      reason: 'Fine.',
      work: work => {
        for (const key of [inspection, open])
          work.set(families.inspection, key, { ...work.require('inspection', key).fields, is_settled: true });
        work.set(families['lab-result'], lab, {
          ...work.require('lab-result', lab).fields,
          is_settled: true,
        });
        const { fields } = work.require('correction', correction);
        work.set(families.correction, correction, { ...fields, status: 'accepted' });
      },
      answer: () => undefined,
    });
    await site.settle();
    await lockOf(site, false);
    const stock = { part_id: part, ...anew, opening_quantity: 9 };
    await create(a.store, 'inventory', stock, { user: 'quinn' });
    await site.settle();
    expect(whyHeld(site)).toEqual([]);
  });
});

it.each([null, '', ' '])('a lot keeps a number: %j is held', async batch_number => {
  const site = await story();
  await send(site, 'quinn', { [`inventory:${site.lot}`]: { batch_number } });
  await site.settle();
  expect(whyHeld(site)).toEqual(['not_permitted: batch_number is missing. A lot keeps a number.']);
  expect(fieldsOf(site, `inventory:${site.lot}`).batch_number).toBe('O');
});

it('an inspection is given no other template by a receipt of other goods', async () => {
  const site = await story();
  await send(site, 'olga', {
    [`receiving-inspection:${site.receipt}`]: { notes: 'Seen' },
    [`inspection:${site.open}`]: { drawing_id: null, template: null },
  });
  await site.settle();
  expect(whyHeld(site)).toEqual([NOT]);
});

describe('the name that a signature and a certificate show', () => {
  const SIGNED = 'signature:1048700';
  const ISSUED = 'certificate:1048700';
  const idOf = ({ central }: Story, login: string) =>
    [...central.store.records.all('user')].find(({ fields }) => fields.login === login)?.id ?? 0;
  const signed = (site: Story, user_name: string | null) => ({
    [SIGNED]: {
      subject: `ncr:${site.ncr}`,
      user_id: idOf(site, 'quinn'),
      user_name,
      at: AT,
      meaning: 'closing',
    },
    [`ncr:${site.ncr}`]: { status: 'closed' },
  });
  const issued = ({ lot }: Story, issuer_name: string | null) => ({
    [ISSUED]: { inventory_id: lot, issuer: 'quinn', issuer_name, issued_at: AT },
  });
  it.each([
    ['signature', signed],
    ['certificate', issued],
  ])('is one that its author has or had, of a %s', async (_, made) => {
    for (const name of ['Dr. Somebody', 'ian', null]) {
      const site = await story();
      await send(site, 'quinn', made(site, name));
      await site.settle();
      expect(whyHeld(site)).toEqual([NOT]);
    }
    const site = await story();
    await update(site.central.store, 'user', idOf(site, 'quinn'), { name: 'Quinn the second' });
    // The station has not heard of the other name.
    await send(site, 'quinn', made(site, 'quinn'));
    await site.settle();
    expect(whyHeld(site)).toEqual([]);
  });
});
