import { moveLot } from './receiving.ts';
import { type Step, updateStep } from './site.ts';
import { adjust } from './warehouse.ts';

/** What people put right afterwards, so that history has something to show, and what was found and carried in the store. */
export function correctionSteps(): Step[] {
  return [
    recounting(-146, 'A lot of closures goes back to the supplier', {
      receipt: 'penmarrow#3',
      part: 'PK-3110',
      accepted: 0,
      rejected: 1200,
      reason: 'Failed inspection: whole lot returned.',
    }),
    recounting(-187, 'A receipt is counted again', {
      receipt: 'tillerfield#1',
      part: 'RM-1010',
      accepted: 925,
      rejected: 75,
      reason: 'A third wet bag found under the pallet.',
    }),
    updateStep(-160, 'A supplier has a new contact', 'supplier', 'supplier:penmarrow', {
      primary_name: 'Morwenna Tregear',
      primary_email: 'morwenna.tregear@penmarrow.example.com',
      reason: 'Denzil Trevarn has left.',
    }),
    updateStep(-130, 'A part is renamed', 'part', 'part:PK-3110', {
      name: 'Pourer closure 31.5 x 24, black',
    }),
    updateStep(-130, 'A part gets another reorder point', 'part', 'part:PK-3110', { reorder_point: 1800 }),
    updateStep(-130, 'A part gets another reorder point', 'part', 'part:FG-4010', {
      reorder_point: 180,
      reason: 'Two more shops.',
    }),
    updateStep(-70, 'A customer moves', 'customer', 'customer:6', {
      street: '21 Dyer Street',
      reason: 'New shop.',
    }),
    counting(-92, 'karsholt#5/PK-3020', -12, 'Stocktaking: twelve bottles fewer than booked.'),
    counting(-92, 'stannery#0/PK-3310', 4, 'Stocktaking: four cartons more than booked.'),
    counting(-91, 'stannery#1/PK-3320', -15, 'Cartons crushed by the forklift.'),
    counting(-59, 'bottle#12/FG-4210', -6, 'One carton dropped in the aisle.'),
    counting(-49, 'bottle#11/FG-4110', -2, 'Two bottles kept as retained samples.'),
    counting(-30, 'press#9/BO-2010', -1.5, 'Sampling and flushing of the tank.'),
    counting(-21, 'brackwell#4/RM-1110', -0.35, 'Laboratory samples.'),
    {
      day: -8,
      title: 'A lot is locked by hand',
      run: async site => {
        await site.client.call('x.inventory.lock', {
          params: { id: site.lot('bottle#15/FG-4020').id },
          body: {
            is_locked: true,
            reason: 'Leaking closures, see the complaints. Locked until every bottle is looked at.',
          },
        });
      },
    },
    carrying(-143, 'karsholt#4/PK-3020', 'quarantine', 'Failed inspection: out of the rack.'),
    carrying(-139, 'bottle#9/FG-4010', 'quarantine', 'Failed inspection.'),
    carrying(-45, 'bottle#16/FG-4310', 'quarantine', 'Lab result out of limits.'),
    carrying(-28, 'quillhurst#2/PK-3210', 'packaging', 'Racks B are being repaired.'),
    carrying(-14, 'oxmere#3/RM-1030', 'goods-in', 'Silo row is being cleaned.'),
    carrying(-7, 'oxmere#3/RM-1030', 'silo', 'Back in its row.'),
    {
      day: -4,
      title: 'Part of a lot goes to the dispatch bay',
      run: async site => {
        await site.client.call('x.inventory.moves.create', {
          params: { id: site.lot('bottle#17/FG-4410').id },
          body: {
            to_location_id: site.idOf('location:dispatch'),
            quantity: 24,
            reason: 'Picked for tomorrow.',
            move_date: site.calendar.workday(-4),
          },
        });
        site.count('move');
      },
    },
  ];
}

interface Recounting {
  receipt: string;
  part: string;
  accepted: number;
  rejected: number;
  reason: string;
}

function recounting(day: number, title: string, counted: Recounting): Step {
  const { receipt, part, accepted, rejected, reason } = counted;
  return {
    day,
    title,
    run: async site => {
      const params = {
        receiving_inspection_id: site.idOf(`receipt:${receipt}`),
        id: site.idOf(`line:${receipt}/${part}`),
      };
      const body = { quantity_accepted: accepted, quantity_rejected: rejected, reason };
      await site.client.call('receiving-inspections.items.update', { params, body });
    },
  };
}

function counting(day: number, lot: string, quantity: number, reason: string): Step {
  return {
    day,
    title: 'A quantity is corrected',
    run: site => adjust(site, { lot: site.lot(lot).id, quantity, date: site.calendar.workday(day), reason }),
  };
}

function carrying(day: number, lot: string, to: Parameters<typeof moveLot>[2], reason: string): Step {
  return { day, title: 'A lot is moved', run: site => moveLot(site, lot, to, day, reason) };
}
