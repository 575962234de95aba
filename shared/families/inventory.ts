import { z } from 'zod';
import { answerSchema } from '../contract/answer-schema.ts';
import { defineFamily, type Family } from '../contract/define-family.ts';
import { listOf, textSchema } from '../contract/field-schemas.ts';
import {
  createdAt,
  date,
  decimal,
  derived,
  flag,
  integer,
  json,
  recordId,
  reference,
  text,
  updatedAt,
  withInput,
} from '../contract/fields.ts';
import { TEXT_LIMIT } from '../contract/limits.ts';
import { corrected, freeing } from '../contract/may.ts';
import { once } from '../contract/once-per.ts';
import { returnedFields } from '../contract/present.ts';
import { normaliseUnit, partUnits, receivingUnits } from '../quantities/units.ts';
import { part } from './part.ts';

const number = once(() => z.number());
const words = once(() => z.string());
const units: readonly string[] = [...new Set([...partUnits, ...receivingUnits])];
const readUnit = () =>
  textSchema(TEXT_LIMIT)
    .transform(normaliseUnit)
    .refine(unit => units.includes(unit), {
      error: issue => `"${issue.input}" is not a unit. Allowed: ${units.join(', ')}.`,
    });

/**
 * A lot in stock: interface 2.5 and 4.4. One record for each part, lot number, expiry and unit; receiving makes it.
 * Quantity, value, locks and places are derived from receipts, shipments, adjustments and moves, never typed.
 */
export const inventory = defineFamily({
  name: 'inventory',
  title: 'Lot',
  plural: 'Stock',
  path: '/inventory',
  section: '2.5',
  description: 'A lot in stock. Its quantity is derived from receipts, shipments, adjustments and moves.',
  fields: {
    id: recordId(),
    company_id: reference('company', { writable: false }),
    part_id: reference('part', { required: true }),
    name: derived(words, { description: 'The name of the part.' }),
    identification: derived(words, { description: 'The part number.' }),
    inventory_name: derived(words, { description: 'The name of the part and the lot number.' }),
    batch_number: text({
      label: 'Lot number',
      aliases: ['serial_number'],
      description: 'Opening stock needs one.',
    }),
    quantity: derived(number, { description: "In the part's unit where the lot's converts to it." }),
    unit_of_measure: derived(words, {
      isUnit: true,
      description: "The part's unit; the lot's own where it does not convert.",
    }),
    cost: decimal({
      minimum: 0,
      isMoney: true,
      description:
        'Cost of one unit, from the receipt line; in answers and in an update, of one unit as the quantity is shown.',
    }),
    cost_unit: text({
      returned: false,
      writable: false,
      description: "The unit that the cost is of, where it is not the lot's own.",
    }),
    value_on_hand: derived(number, {
      isMoney: true,
      description: 'Quantity times cost; null without a cost.',
    }),
    is_finished_product: derived(() => z.boolean(), { description: 'As the part says.' }),
    reorder_point: derived(words, { description: "The part's, as decimal text." }),
    is_unit_unconvertible: derived(() => z.boolean(), {
      isAdditive: true,
      returned: false,
      description: "The lot's unit does not convert to the part's, so the lot is never summed with others.",
    }),
    is_expiry_soon: derived(() => z.enum(['0', '1']), { description: '"1" within the days of the setting.' }),
    is_locked: derived(() => z.boolean(), {
      description: 'Locked lots are visible and valued, but cannot ship.',
    }),
    is_legacy: flag({ fallback: false, description: 'Opening stock from before this system.' }),
    location: derived(words, { description: 'Name of the place where most of it stands.' }),
    created_at: createdAt(),
    updated_at: updatedAt(),
    location_list: derived(words, { description: 'Names of all its locations, comma-separated.' }),
    location_id: derived(words, { label: 'Location (id)', description: 'That of `location`, as text.' }),
    legacy_record_id: integer({ description: 'The id of the lot in the system before this one.' }),
    related_batch_numbers: derived(() => z.array(words().nullable()), {
      absent: [],
      description: 'The other lots of the same receipt.',
    }),
    nearest_expiry_date: derived(() => z.iso.date(), { description: 'The last usable day.' }),
    part: derived(() => answerSchema(part), { description: 'The part, as its own read answers it.' }),
    expiry_date: date({ returned: false, description: 'The last usable day.' }),
    lot_unit: withInput(
      text({
        returned: false,
        label: 'Unit',
        aliases: ['unit'],
        description: 'The unit that the lot is kept in.',
      }),
      readUnit,
    ),
    opening_quantity: decimal({
      returned: false,
      minimum: 0,
      description: 'Opening balance, in the unit of the lot.',
    }),
    opening_date: date({
      returned: false,
      description: 'Today unless given.',
    }),
    opening_location_id: reference('location', { returned: false, aliases: ['location_id'] }),
    is_locked_by_person: flag({ returned: false, writable: false, isVerdict: true }),
    lock_reason: text({ returned: false, writable: false }),
    locations: json(
      () => ({
        input: z.never(),
        output: listOf({
          id: z.int().describe('Id of the location.'),
          name: words().nullable().describe('Name of the location.'),
          is_active: z.union([z.literal(0), z.literal(1)]).describe('Whether the location is in use.'),
        }),
      }),
      { writable: false, returned: false, description: 'The places where the lot stands.' },
    ),
  },
  operations: {
    documented: { section: '4.4', kinds: ['list', 'read'] },
    extensions: ['create', 'update'],
    listForm: 'inventory',
  },
  columns: ['inventory_name', 'quantity', 'unit_of_measure', 'value_on_hand'],
  lists: ['expiry_date'],
  search: ['batch_number'],
  searchThrough: ['part_id'],
  filters: {
    part_id: { description: 'Only lots of this part; when given, `keyword` is not used.', isAdditive: false },
  },
  indexes: ['batch_number'],
  nameFields: ['batch_number'],
  detailFields: ['part_id', 'expiry_date'],
  codes: ['batch_number'],
  rules: ['opening-stock'],
  may: {
    create: 'quality',
    change: 'quality',
    rules: {
      part_id: [freeing],
      lot_unit: [freeing],
      batch_number: [freeing],
      opening_date: [corrected],
      opening_quantity: [corrected, { when: 'more', needsReason: true, isFreeing: true }],
      expiry_date: [corrected, { when: 'later', needsReason: true, isFreeing: true }],
      lock_reason: [{ when: 'any', role: 'inspector' }],
      is_locked_by_person: [
        { when: 'toTrue', role: 'inspector' },
        { when: 'fromTrue', role: 'quality', needsReason: true, isFreeing: true },
      ],
    },
  },
});

/** The list record of interface 2.5, in its order. */
export const inventoryListFields = [
  'id',
  'company_id',
  'part_id',
  'name',
  'identification',
  'inventory_name',
  'quantity',
  'unit_of_measure',
  'cost',
  'value_on_hand',
  'is_finished_product',
  'reorder_point',
  'is_expiry_soon',
] as const;

/** The detail record of interface 2.5, in its order. */
export const inventoryDetailFields = [
  'id',
  'company_id',
  'part_id',
  'batch_number',
  'quantity',
  'is_locked',
  'is_legacy',
  'location',
  'created_at',
  'updated_at',
  'value_on_hand',
  'location_list',
  'cost',
  'location_id',
  'legacy_record_id',
  'related_batch_numbers',
  'nearest_expiry_date',
  'part',
] as const;

/** The document answers lots in another way each time (interface decisions, 3). */
export function isLots({ operations: { listForm } }: Family): boolean {
  return listForm === 'inventory';
}

/** Members of a family's records in its lists. */
export function listedFields(family: Family): readonly string[] {
  return isLots(family) ? inventoryListFields : returnedFields(family);
}

/** What the single read, the create, the update and the lock of a lot answer. */
export function inventoryDetailSchema() {
  return answerSchema(inventory, { fields: inventoryDetailFields, name: 'Inventory' });
}
