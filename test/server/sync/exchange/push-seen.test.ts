import { describe, expect, it } from 'vitest';
import { mapOf } from '../../../../server/store/changes.ts';
import { newCommitId } from '../../../../server/store/commit-id.ts';
import { locksOfLot } from '../../../../server/store/lots.ts';
import { syncRules } from '../../../../server/sync/log/rules.ts';
import { holdEntry, WITHDRAWN } from '../../../../server/sync/protocol/decide-in-log.ts';
import { siblingsOf } from '../../../../server/sync/protocol/siblings.ts';
import { StationStore } from '../../../../server/sync/station/station-store.ts';
import { update } from '../../store/temporary-store.ts';
import { heldOf, type Story, story } from './push-story.ts';

/** Sends values of the receipt's line as `olga` of altered code, over the commits that she names. Returns the commit's id. */
async function line(
  { a, receipt, line: id }: Story,
  values: Record<string, unknown>,
  over: string[],
  beside: Parameters<typeof holdEntry>[0][] = [],
): Promise<string> {
  const station = new StationStore(a.store, syncRules, a.store.database);
  const commit_id = newCommitId();
  const changes = Object.entries(values).map(([name, value]) => ({
    path: `items.${id}.${name}`,
    old: null,
    new: value,
    over,
  }));
  const entries = [
    ...beside.map(held => holdEntry(held, WITHDRAWN)),
    { subject: `receiving-inspection:${receipt}`, changes },
  ];
  const about = { at: '2026-06-15T12:00:00.000Z', clock_offset: null, user: 'olga', reason: 'Said so.' };
  await station.writeOwn(() => [{ commit_id, ...about, entries }]);
  return commit_id;
}

const lineOf = ({ central, receipt, line: id }: Story) =>
  mapOf(mapOf(central.store.records.get('receiving-inspection', receipt)?.fields.items)[id]);

/** The commit that wrote what stands. */
function writer({ central, receipt, line: id }: Story, name: string): string {
  const read = central.exchange.reader();
  return siblingsOf(read, `receiving-inspection:${receipt}`, `items.${id}.${name}`)[0]?.commit ?? '';
}

describe('what an altered station says that its author had seen', () => {
  it('is not what stands in a commit that was lost', async () => {
    const site = await story();
    const lost = await line(site, { expiry_date: '2031-01-01' }, ['nothing'], [newCommitId()]);
    await site.settle();
    await line(site, { expiry_date: '2030-01-01' }, [lost]);
    await site.settle();
    expect(heldOf(site).map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^not_permitted: items\.\d+\.expiry_date, to a later day/),
    ]);
    expect(lineOf(site).expiry_date).toBe('2026-07-01');
  });

  it('is not what its station itself wrote before', async () => {
    const site = await story();
    const first = writer(site, 'expiry_date');
    await line(site, { expiry_date: '2026-06-20' }, [first]);
    await site.settle();
    expect(lineOf(site).expiry_date).toBe('2026-06-20');
    await line(site, { expiry_date: '2026-06-30' }, [first]);
    await site.settle();
    expect(heldOf(site).map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^not_permitted: items\.\d+\.expiry_date, to a later day/),
    ]);
  });

  it('frees nothing where it looks like honest work of before: the lot is locked until a person decides', async () => {
    const site = await story();
    const { central, receipt, a } = site;
    const first = writer(site, 'expiry_date');
    const items = [{ id: site.line, expiry_date: '2026-06-20' }];
    await update(
      central.store,
      'receiving-inspection',
      receipt,
      { items },
      { user: 'quinn', reason: 'Worse.' },
    );
    await site.settle();
    await line(site, { expiry_date: '2026-06-30' }, [first]);
    await site.settle();
    expect(heldOf(site)).toEqual([]);
    expect(lineOf(site).expiry_date).toBe('2026-06-30');
    for (const { database } of [central.store, a.store]) {
      const locks = locksOfLot(database.reader, Number(lineOf(site).inventory_id));
      expect(locks).toContainEqual({ lock: 'conflict', source: `receiving-inspection:${receipt}` });
    }
  });

  it('is not the very value that it puts in the place of what stands', async () => {
    const site = await story();
    const first = writer(site, 'is_active_batch');
    const items = [{ id: site.line, is_active_batch: false }];
    await update(site.central.store, 'receiving-inspection', site.receipt, { items }, { user: 'quinn' });
    await site.settle();
    await line(site, { is_active_batch: true }, [first]);
    await site.settle();
    expect(heldOf(site).map(({ reason }) => reason)).toEqual([
      'not_permitted: items.1.is_active_batch needs the role quality.'.replace('1', String(site.line)),
    ]);
    expect(lineOf(site).is_active_batch).toBe(false);
  });
});
