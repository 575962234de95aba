import type { PlannedReceipt } from './receiving.ts';
import type { Site, Step } from './site.ts';
import { adjust } from './warehouse.ts';

export const SMALL_PACKAGING = 'ottermill';

/** Of each part, the deliveries (from 0) whose lots were rejected: one was never, one lately, one far too often. */
export const rejected: Readonly<Record<string, readonly number[]>> = {
  'PK-3410': [],
  'PK-3420': [7, 8],
  'PK-3430': [1, 2, 3, 4, 5, 7, 8],
};

/**
 * What became of small packaging: good lots are used up, bad ones went back. ISO 2859-1 leads its parts to reduced
 * inspection, to tightened inspection, and to the end of sampling.
 */
export function smallPackagingSteps(receipts: readonly PlannedReceipt[]): Step[] {
  const deliveries = receipts.filter(({ supplier }) => supplier === SMALL_PACKAGING);
  return [
    ...deliveries.flatMap(({ key, day, lines }, index) =>
      lines.flatMap(({ part, accepted }): Step[] => {
        const isRejected = rejected[part]?.includes(index) === true;
        const leaves = isRejected ? day + 3 : day + 22;
        if (leaves >= 0) return [];
        return [
          {
            day: leaves,
            title: `${isRejected ? 'Return' : 'Use'} of ${part}`,
            run: site =>
              adjust(site, {
                lot: site.lot(`${key}/${part}`).id,
                quantity: isRejected ? -accepted : -Math.round(accepted * 0.9),
                date: site.calendar.workday(leaves),
                reason: isRejected ? 'Went back to the supplier.' : 'Used up in packing.',
              }),
          },
        ];
      }),
    ),
    { day: -2, title: 'Approval of reduced inspection', run: approveReduced },
  ];
}

async function approveReduced(site: Site): Promise<void> {
  await site.client.call('x.sampling.reduced', {
    body: {
      part_id: site.idOf('part:PK-3410'),
      supplier_id: site.idOf(`supplier:${SMALL_PACKAGING}`),
      is_allowed: true,
      reason: 'Ten lots in a row without a fault; production at the supplier is steady.',
    },
  });
  site.count('sampling-ruling');
}
