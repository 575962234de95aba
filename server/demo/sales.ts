import { shortDate } from './calendar.ts';
import { customerCount } from './customers.ts';
import { finishedProducts } from './parts.ts';
import { createRandom } from './random.ts';
import type { Site, Step } from './site.ts';
import { usableLots } from './warehouse.ts';

const ORDERS = 40;
/** The newest orders are still open. */
const DELIVERED = 36;

interface Line {
  part: string;
  quantity: number;
}

/** Every six days an order; most are delivered within the week, some in two shipments, the newest not yet. */
export function salesSteps(): Step[] {
  const orders = Array.from({ length: ORDERS }, (_, index) => orderSteps(index, -241 + 6 * index)).flat();
  const gifts = [-205, -171, -140, -104, -76, -44, -15].map((day, index) => giftStep(index, day, true));
  return [...orders, ...gifts, giftStep(7, -1, false), takingBack(-150)];
}

function orderSteps(index: number, day: number): Step[] {
  // What was ordered depends on what was in stock that day; the shipments after it read it here.
  const lines: Line[] = [];
  const isSplit = index % 5 === 1 || index % 5 === 3;
  const isDelivered = index < DELIVERED;
  const key = `order:${index}`;
  const order: Step = {
    day,
    title: `Order ${7001 + index}`,
    run: async site => void lines.push(...(await takeOrder(site, index, day))),
  };
  const ship = (after: number, share: (quantity: number) => number): Step => ({
    day: day + after,
    title: `Shipment of order ${7001 + index}`,
    run: site =>
      shipGoods(site, {
        key: `shipment:${index}+${after}`,
        day: day + after,
        lines: lines.map(({ part, quantity }) => ({ part, quantity: share(quantity) })),
        customer: customerOf(index),
        order: site.idOf(key),
        isShipped: isDelivered,
        isLotNamed: index % 3 === 0,
      }),
  });
  const firstHalf = (quantity: number) => Math.ceil(quantity / 24) * 12;
  const shipments =
    isSplit && isDelivered
      ? [ship(5, firstHalf), ship(12, quantity => quantity - firstHalf(quantity))]
      : [ship(5, quantity => quantity)];
  const lastDay = Math.max(...shipments.map(step => step.day));
  const closing: Step = {
    day: lastDay,
    title: `Order ${7001 + index} is delivered`,
    run: async site => {
      await site.client.update('order', site.idOf(key), {
        actual_ship_date: site.calendar.workday(lastDay),
        is_closed: true,
      });
    },
  };
  return [order, ...shipments.filter(step => step.day < 0), ...(isDelivered ? [closing] : [])];
}

/** Two or three products that are there in the wanted quantity. */
async function takeOrder(site: Site, index: number, day: number): Promise<Line[]> {
  const { calendar } = site;
  const random = createRandom(`order ${index}`);
  const date = calendar.workday(day);
  const id = await site.create(
    'order',
    {
      contact_id: site.idOf(`customer:${customerOf(index)}`),
      // A whole number, as the interface documents it, unless a second company needs numbers of its own.
      order_number: site.series === '' ? 7001 + index : `${site.series}${7001 + index}`,
      po_number: `C${customerOf(index) + 100}-${shortDate(date)}`,
      order_date: date,
      start_date: calendar.workday(day + 1),
      requested_ship_date: calendar.workday(day + 5),
      due_date: calendar.workday(day + 9),
      ...(index % 8 === 5 && { notes: 'Deliver before noon; ring at the side door.' }),
    },
    `order:${index}`,
  );
  const wanted = random.integer(2, 3);
  const lines: Line[] = [];
  for (const part of random.shuffle(finishedProducts)) {
    if (lines.length === wanted) break;
    const quantity = 12 * random.integer(3, 11);
    const lots = await usableLots(site, part, date);
    const [first] = lots;
    const stock = lots.reduce((sum, lot) => sum + lot.quantity, 0);
    if (first === undefined || stock < quantity) continue;
    lines.push({ part, quantity });
    await site.client.call('orders.items.add', {
      params: { order_id: id },
      body: {
        order_id: id,
        part_id: site.idOf(`part:${part}`),
        quantity,
        serial_number: first.number,
        is_low_inventory: stock - quantity < 60,
        is_low_materials: false,
        order: lines.length,
      },
    });
  }
  return lines;
}

interface Shipping {
  key: string;
  day: number;
  lines: readonly Line[];
  customer: number;
  order: number | null;
  isShipped: boolean;
  /** The customer gets the lot that expires first, by its number, where it suffices. */
  isLotNamed: boolean;
  notes?: string;
}

/** Ships what is there of what is wanted; the ship date closes the shipment and takes the stock. */
async function shipGoods(site: Site, shipping: Shipping): Promise<void> {
  const { day, customer, order, isShipped, isLotNamed, notes } = shipping;
  const date = site.calendar.workday(day);
  const items = [];
  for (const { part, quantity } of shipping.lines) {
    const lots = await usableLots(site, part, date);
    const stock = lots.reduce((sum, lot) => sum + lot.quantity, 0);
    const [first] = lots;
    if (first === undefined || quantity <= 0) continue;
    const shipped = Math.min(quantity, stock);
    const isFromOne = isLotNamed && first.quantity >= shipped;
    items.push({ part, quantity: shipped, lot: first.number, isFromOne });
  }
  if (items.length === 0)
    throw new Error(`The sample company's plan has nothing to ship on ${date} (${shipping.key}).`);
  const id = await site.create(
    'shipment',
    {
      contact_id: site.idOf(`customer:${customer}`),
      requested_ship_date: date,
      po_number: items[0]?.lot ?? null,
      is_ship_all_items: true,
      ...(order !== null && { order_id: order }),
      ...(notes && { notes }),
    },
    shipping.key,
  );
  for (const [index, { part, quantity, lot, isFromOne }] of items.entries()) {
    await site.client.call('shipments.items.add', {
      params: { shipment_id: id },
      body: {
        part_id: site.idOf(`part:${part}`),
        quantity,
        order: index + 1,
        ...(isFromOne && { serial_number: lot }),
      },
    });
  }
  if (isShipped) await site.client.update('shipment', id, { actual_ship_date: date });
}

/** Tasting bottles that nobody ordered. */
function giftStep(index: number, day: number, isShipped: boolean): Step {
  return {
    day,
    title: 'Shipment of tasting bottles',
    run: site =>
      shipGoods(site, {
        key: `gift:${index}`,
        day,
        lines: createRandom(`gift ${index}`)
          .shuffle(['FG-4010', 'FG-4110', 'FG-4310', 'FG-4020'])
          .slice(0, 2)
          .map(part => ({ part, quantity: 6 })),
        customer: (index * 3) % customerCount,
        order: null,
        isShipped,
        isLotNamed: false,
        notes: 'Tasting bottles, free of charge.',
      }),
  };
}

/** A shipment that was closed a day early: taken back with a reason, and closed again. */
function takingBack(day: number): Step {
  return {
    day,
    title: 'A shipment is taken back and closed again',
    run: async site => {
      const id = site.idOf('shipment:14+5');
      await site.client.update('shipment', id, {
        actual_ship_date: null,
        reason: 'The carrier did not come; the pallet is still in the bay.',
      });
      await site.client.update('shipment', id, { actual_ship_date: site.calendar.workday(day) });
    },
  };
}

function customerOf(index: number): number {
  return createRandom(`customer of order ${index}`).integer(0, customerCount - 1);
}
