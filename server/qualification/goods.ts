import { dataOf } from './caller.ts';
import type { ScratchStation, Who } from './scratch-station.ts';

type Fields = Record<string, unknown>;

export interface HistoryShown {
  user: string;
  at: string;
  reason: string | null;
  changes: { path: string; old: unknown; new: unknown }[];
}

/** A non-conformance report. */
export function ncr(scratch: ScratchStation, who: Who, fields: Fields = {}): Promise<number> {
  return scratch.as(who).made('/ncrs', { ncr_number: scratch.unique('N'), source: 'internal', ...fields });
}

export async function historyOf(
  scratch: ScratchStation,
  family: string,
  id: number,
  who: Who = 'quality',
): Promise<HistoryShown[]> {
  return dataOf<HistoryShown[]>(await scratch.as(who).get(`/x/history/${family}/${id}`));
}

/** All fields of a record. */
export async function recordOf(scratch: ScratchStation, family: string, id: number): Promise<Fields> {
  return dataOf<{ fields: Fields }>(await scratch.as('quality').get(`/x/records/${family}/${id}`)).fields;
}

export function part(scratch: ScratchStation, fields: Fields = {}): Promise<number> {
  const identification = scratch.unique('P');
  return scratch
    .as('operator')
    .made('/parts', { name: 'Jar', identification, unit_of_measure: 'units', ...fields });
}

export interface Received {
  part: number;
  receipt: number;
  item: number;
  lot: number;
  batch: string;
}

/** Ten of a lot of a new part, received today. */
export async function receive(
  scratch: ScratchStation,
  line: Fields = {},
  receipt: Fields = {},
): Promise<Received> {
  const of = await part(scratch);
  const batch = scratch.unique('L');
  const items = [
    { part_id: of, serial_number: batch, quantity_accepted: 10, unit_of_measure: 'EA', ...line },
  ];
  const id = await scratch.as('operator').made('/receiving-inspections', { ...receipt, items });
  const [item] = dataOf<{ items: { id: number }[] }>(
    await scratch.as('operator').get(`/receiving-inspections/${id}`),
  ).items;
  const lots = dataOf<{ id: number }[]>(await scratch.as('operator').get(`/inventory?part_id=${of}`));
  return { part: of, receipt: id, item: item?.id ?? 0, lot: lots[0]?.id ?? 0, batch };
}

/** A shipment of so many of the lot; not yet gone. */
export function shipmentOf(scratch: ScratchStation, of: Received, quantity: number): Promise<number> {
  const items = [{ part_id: of.part, serial_number: of.batch, quantity }];
  return scratch.as('operator').made('/shipments', { items });
}

/** Sends it today. */
export function ship(scratch: ScratchStation, shipment: number, who: Who = 'operator') {
  return scratch.as(who).patch(`/shipments/${shipment}`, { actual_ship_date: scratch.day() });
}
