import { describe, expect, it } from 'vitest';
import { lock } from '../rules/site.ts';
import { create, update } from '../store/temporary-store.ts';
import { type PaperSite, paperSite } from './paper-site.ts';
import { paperOf } from './printed.ts';

/** A certificate says of a lot that it is as it should be, so it must not be had for one that is not. */
describe('a certificate of analysis', () => {
  const certificateOf = (site: PaperSite, now?: string) =>
    JSON.stringify(paperOf(site, 'certificate', now === undefined ? {} : { now }).blocks);

  it('has the lot, where it came from, and its results beside their limits', async () => {
    const blocks = certificateOf(await paperSite());
    for (const said of ['HB-8', 'LOT-7/A', '31 Dec 2031', 'Harbour Fasteners', '12 Jun 2026', 'Lab North']) {
      expect(blocks).toContain(said);
    }
    expect(blocks).toContain('["Carbon","0.351","0.32 – 0.38 (0.35 % 0.32 to 0.38)","within limits"]');
    expect(blocks).toContain('["Lead","<0.01","≤ 0.05 (<=0.05)","within limits"]');
    expect(blocks).toContain('["Odour","2","no limits","–"]');
    expect(blocks).not.toContain('expired');
  });

  it('is refused while the lot is locked, naming why', async () => {
    const site = await paperSite();
    await lock(site.store, site.lot, true);
    expect(() => certificateOf(site)).toThrow(
      /LOT-7\/A gets no certificate while it is locked: a person locked it/,
    );
    await lock(site.store, site.lot, false);
    await update(site.store, 'receiving-inspection', site.receipt.id, { is_quarantined: true });
    expect(() => certificateOf(site)).toThrow(/locked: its receipt is quarantined/);
  });

  it.each([
    ['of the lot itself', (lot: number) => ({ inventory_id: lot })],
    ['by the lot number', () => ({ batch_number: 'LOT-7/A' })],
  ])('is refused with a failing result %s', async (_name, of) => {
    const site = await paperSite();
    const [own] = site.store.records.findBy('lab-result', 'inventory_id', site.lot);
    const template = own?.fields.specification_id;
    await create(site.store, 'lab-result', {
      specification_id: template,
      lab_data: '{"Lead": 0.06}',
      ...of(site.lot),
    });
    expect(() => certificateOf(site)).toThrow(/in the lab result \d+, Lead lies outside its limits/);
  });

  it('is refused where a value lies outside the limits that would be printed beside it', async () => {
    const site = await paperSite();
    const [own] = site.store.records.findBy('lab-result', 'inventory_id', site.lot);
    const characteristics = [{ name: 'Carbon', dimensions: '0.33 %', tolerance: '0.32 to 0.34' }];
    await update(site.store, 'specification', Number(own?.fields.specification_id), { characteristics });
    expect(() => certificateOf(site)).toThrow(/in the lab result \d+, Carbon lies outside its limits/);
  });

  it.each([
    ['en', 'draft, not approved: 0.32 – 0.38 (0.35 % 0.32 to 0.38)', 'not decided'],
    ['de', 'Entwurf, nicht freigegeben: 0,32 – 0,38 (0.35 % 0.32 to 0.38)', 'nicht entschieden'],
  ] as const)(
    'says of limits that nobody approved that they are a draft (%s)',
    async (language, limits, verdict) => {
      const site = await paperSite();
      const [own] = site.store.records.findBy('lab-result', 'inventory_id', site.lot);
      const revoked = { is_approved: false };
      await update(site.store, 'specification', Number(own?.fields.specification_id), revoked, {
        reason: 'Old.',
      });
      const blocks = JSON.stringify(paperOf(site, 'certificate', { language }).blocks);
      expect(blocks).toContain(`${JSON.stringify(limits)},${JSON.stringify(verdict)}`);
      expect(blocks).not.toContain('within limits');
    },
  );

  it('leaves out what another part with the same lot number was found to be', async () => {
    const site = await paperSite();
    const other = await create(site.store, 'part', { name: 'Other' });
    const template = await create(site.store, 'specification', {
      name: 'Other',
      characteristics: [{ name: 'pH', tolerance: 'max 7' }],
    });
    const items = [{ part_id: other.id, serial_number: 'Z-1', quantity_accepted: 1 }];
    await create(site.store, 'receiving-inspection', { items });
    await create(site.store, 'lab-result', {
      specification_id: template.id,
      batch_number: 'Z-1',
      lab_data: '{"pH": 9}',
    });
    expect(certificateOf(site)).not.toContain('pH');
  });

  it('states that the lot has expired', async () => {
    const site = await paperSite();
    expect(certificateOf(site, '2031-12-31T22:59:00.000Z')).not.toContain('The lot expired');
    expect(certificateOf(site, '2031-12-31T23:00:00.000Z')).toContain('The lot expired on 31 Dec 2031.');
  });
});
