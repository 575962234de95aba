import { checkDigit } from '../../shared/gs1/check-digit.ts';
import { receiptUnit } from './parts.ts';
import type { PlannedReceipt } from './receiving.ts';
import type { Site, Step } from './site.ts';

/** Days from an order to its delivery. */
const LEAD_DAYS = 14;

interface Line {
  part: string;
  quantity: number;
  /** Announced by the supplier. */
  lot?: string;
  lotFormat?: string;
  /** The seventeen digits before the check digit. */
  pallet?: string;
}

interface PlannedOrder {
  number: string;
  supplier: string;
  day: number;
  expectedOn: number;
  lines: Line[];
  isClosed?: true;
  notes?: string;
}

/** Deliveries of the story that were ordered in writing, and what is to come. */
export function purchaseOrderSteps(deliveries: readonly PlannedReceipt[]): Step[] {
  const orderOf = (key: string, change: Partial<PlannedOrder> & { more?: number } = {}): PlannedOrder => {
    const delivery = deliveries.find(each => each.key === key);
    if (!delivery)
      throw new Error(`The sample company's plan orders the delivery ${key}, which does not come.`);
    const { more = 0, ...rest } = change;
    return {
      number: delivery.po,
      supplier: delivery.supplier,
      day: delivery.day - LEAD_DAYS,
      expectedOn: delivery.promisedOn,
      lines: delivery.lines.map(({ part, accepted, rejected }, index) => ({
        part,
        quantity: accepted + rejected + (index === 0 ? more : 0),
      })),
      ...rest,
    };
  };
  return [
    orderOf('karsholt#10', { isClosed: true }),
    orderOf('valdorine#1', { more: -180, notes: 'One drum more came; kept after a call with the mill.' }),
    orderOf('stannery#1', { more: 50 }),
    {
      number: 'PO-9001',
      supplier: 'karsholt' as const,
      day: -10,
      expectedOn: 2,
      notes: 'Advance shipping notice of two pallets.',
      lines: [
        { part: 'PK-3020', quantity: 320, lot: 'KG-A1', lotFormat: 'KG-@#', pallet: '34012345000000001' },
        { part: 'PK-3020', quantity: 280, lot: 'KG-A2', lotFormat: 'KG-@#', pallet: '34012345000000002' },
      ],
    },
    {
      number: 'PO-9002',
      supplier: 'oxmere' as const,
      day: -20,
      expectedOn: -2,
      lines: [{ part: 'RM-1030', quantity: 450 }],
    },
    {
      number: 'PO-9003',
      supplier: 'tillerfield' as const,
      day: -3,
      expectedOn: 9,
      lines: [
        { part: 'RM-1010', quantity: 1000 },
        { part: 'RM-1050', quantity: 450 },
      ],
    },
  ].flatMap(order => stepsOf(order));
}

function stepsOf(order: PlannedOrder): Step[] {
  const { number, day, expectedOn, isClosed } = order;
  const placed: Step = { day, title: `Purchase order ${number}`, run: site => place(site, order) };
  if (!isClosed) return [placed];
  const close = async ({ client, idOf }: Site) => {
    await client.update('purchase-order', idOf(`order:${number}`), { is_closed: true });
  };
  return [placed, { day: expectedOn + 7, title: `Purchase order ${number} is complete`, run: close }];
}

async function place(site: Site, order: PlannedOrder): Promise<void> {
  const { number, supplier, day, expectedOn, lines, notes } = order;
  const body = {
    po_number: site.series + number,
    supplier_id: site.idOf(`supplier:${supplier}`),
    order_date: site.calendar.workday(day),
    expected_date: site.calendar.workday(expectedOn),
    ...(notes && { notes }),
    items: lines.map(({ part, quantity, lot, lotFormat, pallet }, index) => ({
      part_id: site.idOf(`part:${part}`),
      quantity,
      unit_of_measure: receiptUnit(part),
      order: index + 1,
      ...(lot && { serial_number: lot }),
      ...(lotFormat && { lot_format: lotFormat }),
      ...(pallet && { sscc: pallet + checkDigit(pallet) }),
    })),
  };
  await site.create('purchase-order', body, `order:${number}`);
}
