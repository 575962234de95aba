/**
 * Calls that the interface document does not have (`/x/…`), for what the documented operations need to find:
 * customers, templates, locations. Their bodies are ours, not the document's; they are all in this one file.
 */
import { type Fields, isObject } from '../../support/expect-shape.ts';
import type { Answer, Station } from '../../support/station.ts';
import { idOf, recordOf } from './answers.ts';

/** A measured feature of a template (2.13). */
export interface Characteristic {
  name: string;
  operation?: string;
  dimensions?: string;
  tolerance?: string;
  is_optional?: boolean;
}

export interface Specification {
  name: string;
  identification?: string;
  notes?: string;
  is_approved?: boolean;
  characteristics: Characteristic[];
}

export async function createCompany(station: Station, name: string): Promise<number> {
  return idOf(await station.post('/x/companies', { name, is_active: true }));
}

export async function createCustomer(station: Station, customer: Fields): Promise<number> {
  return idOf(await station.post('/x/customers', customer));
}

export async function createLocation(station: Station, name: string): Promise<number> {
  return idOf(await station.post('/x/locations', { name, is_active: true }));
}

export async function createPartType(station: Station, name: string): Promise<number> {
  return idOf(await station.post('/x/part-types', { name, is_active: true }));
}

export async function createErrorCode(station: Station, name: string): Promise<number> {
  return idOf(await station.post('/x/error-codes', { name, is_active: true }));
}

export async function createEquipment(station: Station, name: string): Promise<number> {
  return idOf(await station.post('/x/equipment', { name, is_active: true }));
}

/** An approved template; the order of its characteristics is that of the array. */
export async function createSpecification(station: Station, specification: Specification): Promise<number> {
  return idOf(await station.post('/x/specifications', { is_approved: true, ...specification }));
}

/** A new revision of a template with other characteristics. Returns the id that the revision has. */
export async function reviseSpecification(
  station: Station,
  id: number,
  characteristics: Characteristic[],
): Promise<number> {
  return idOf(await station.put(`/x/specifications/${id}`, { characteristics }));
}

/** The fields of a record, write-only ones included. `family` is the singular name, as in history. */
export async function wholeRecord(station: Station, family: string, id: number): Promise<Fields> {
  const { fields } = recordOf(await station.get(`/x/records/${family}/${id}`));
  if (!isObject(fields)) throw new Error(`No fields in the whole record ${family} ${id}`);
  return fields;
}

/** The items of a whole record, which are kept by their ids. */
export function wholeItems(whole: Fields): unknown[] {
  return Object.values(whole.items ?? {});
}

/** The history of a record: who, when, old and new values, why. */
export function history(station: Station, family: string, id: number): Promise<Answer> {
  return station.get(`/x/history/${family}/${id}`);
}

/** A person locks or releases a lot. */
export function lockLot(station: Station, inventoryId: number, isLocked: boolean): Promise<Answer> {
  return station.post(`/x/inventory/${inventoryId}/lock`, { is_locked: isLocked, reason: 'suspect seal' });
}

/** Moves a quantity of a lot to a location. */
export function moveLot(
  station: Station,
  inventoryId: number,
  locationId: number,
  quantity: number,
): Promise<Answer> {
  return station.post(`/x/inventory/${inventoryId}/moves`, { to_location_id: locationId, quantity });
}

/** Corrects a lot's quantity by a signed difference. */
export function adjustLot(
  station: Station,
  inventoryId: number,
  quantity: number,
  reason?: string,
): Promise<Answer> {
  return station.post('/x/adjustments', { inventory_id: inventoryId, quantity, reason });
}

/** A body with the reason that a reversal needs. */
export function because(reason: string, body: Fields): Fields {
  return { ...body, reason };
}
