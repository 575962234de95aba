import type { LocationKey } from './company.ts';
import { receiptUnit } from './parts.ts';
import type { Site, Step } from './site.ts';

export interface ReceiptLine {
  part: string;
  lot: string;
  accepted: number;
  rejected: number;
  cost: number;
  location: LocationKey;
  expiresOn?: number;
  /** Opens an inspection of the lot. */
  template?: string;
  /** Inspected of it: five unless said. */
  samples?: number;
}

export interface PlannedReceipt {
  key: string;
  supplier: string;
  day: number;
  promisedOn: number;
  po: string;
  isQuarantined: boolean;
  releasedOn: number | null;
  isClosed: boolean;
  lines: ReceiptLine[];
  /** Where it differs from what arrived. */
  ordered?: number;
  notes?: string;
}

/** The receipt of a delivery and, where it was quarantined for a while, its release and the way to its shelf. */
export function receiptSteps(receipt: PlannedReceipt): Step[] {
  const { key, day, releasedOn } = receipt;
  const arrival: Step = { day, title: `Receipt ${receipt.po}`, run: site => receive(site, receipt) };
  if (releasedOn === null) return [arrival];
  const release: Step = {
    day: releasedOn,
    title: `Release of receipt ${receipt.po}`,
    run: async site => {
      await site.client.update('receiving-inspection', site.idOf(`receipt:${key}`), {
        is_quarantined: false,
        reason: 'Laboratory result and certificate of analysis are there.',
      });
      for (const { part } of receipt.lines)
        await moveLot(site, `${key}/${part}`, 'herbs', releasedOn, 'Released from quarantine.');
    },
  };
  return [arrival, release];
}

export async function receive(site: Site, receipt: PlannedReceipt): Promise<void> {
  const { calendar } = site;
  const { key, lines, day, notes } = receipt;
  const arrived = calendar.workday(day);
  const total = lines.reduce((sum, { accepted, rejected }) => sum + accepted + rejected, 0);
  const { data } = await site.client.call('receiving-inspections.create', {
    body: {
      supplier_id: site.idOf(`supplier:${receipt.supplier}`),
      serial_number: lines[0] && site.series + lines[0].lot,
      po_number: site.series + receipt.po,
      requested_shipment_arrival_date: calendar.workday(receipt.promisedOn),
      actual_arrival_date: arrived,
      is_closed: receipt.isClosed,
      is_quarantined: receipt.isQuarantined,
      total_order_quantity: receipt.ordered ?? total,
      is_receive_all_items: true,
      ...(notes && { notes }),
      items: lines.map((line, index) => ({
        part_id: site.idOf(`part:${line.part}`),
        serial_number: site.series + line.lot,
        quantity_accepted: line.accepted,
        quantity_rejected: line.rejected,
        unit_of_measure: receiptUnit(line.part),
        order: index + 1,
        cost: line.cost,
        received_date: `${arrived}T09:30:00Z`,
        location_id: site.idOf(`location:${line.location}`),
        ...(line.expiresOn !== undefined && { expiry_date: calendar.day(line.expiresOn) }),
        ...(line.template && { drawing_id: site.idOf(`template:${line.template}`) }),
      })),
    },
  });
  site.count('receiving-inspection');
  site.remember(`receipt:${key}`, data.id);
  for (const { part, lot } of lines) {
    const item = data.items.find(({ part_id }) => part_id === site.idOf(`part:${part}`));
    if (!item?.inventory_id)
      throw new Error(`The answer to receipt ${receipt.po} lacks the line of ${part}.`);
    site.remember(`line:${key}/${part}`, item.id);
    site.rememberLot(`${key}/${part}`, { id: item.inventory_id, number: site.series + lot, part });
    site.count('inventory');
  }
}

/** Carries all of a lot to another place. */
export async function moveLot(
  site: Site,
  lot: string,
  to: LocationKey,
  day: number,
  reason: string,
): Promise<void> {
  await site.client.call('x.inventory.moves.create', {
    params: { id: site.lot(lot).id },
    body: { to_location_id: site.idOf(`location:${to}`), reason, move_date: site.calendar.workday(day) },
  });
  site.count('move');
}
