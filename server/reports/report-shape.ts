import { z } from 'zod';
import type { Collection, Family } from '../../shared/contract/define-family.ts';
import type { Field } from '../../shared/contract/fields.ts';
import { returnedFields } from '../../shared/contract/present.ts';
import { inventoryDetailFields, inventoryListFields } from '../../shared/families/inventory.ts';
import { isCorrected } from '../../shared/families/record-corrections.ts';
import { type FamilyName, families } from '../../shared/families/registry.ts';

export type ColumnType = 'bigint' | 'numeric' | 'boolean' | 'date' | 'timestamptz' | 'text' | 'jsonb';

export interface Column {
  name: string;
  type: ColumnType;
  description: string;
}

/** Rows of one kind: records of a family, or items that stand in them. */
export interface ReportedRows {
  /** The view's name in the schema `reports`. */
  view: string;
  description: string;
  /** How a view of the items that stand in the rows names their id. */
  idColumn: string;
  /** Without `id`, which all have. */
  columns: readonly Column[];
  /** Items, by the member of the answer that has them. */
  items: Readonly<Record<string, ReportedRows>>;
}

export interface ReportedFamily extends ReportedRows {
  family: FamilyName;
}

/**
 * What of answers is in no report: what concerns passwords and keys of people, the evidence of signatures, and records of other
 * families, which have a view of their own.
 */
export const LEFT_OUT: Readonly<Partial<Record<FamilyName, readonly string[]>>> = {
  user: ['is_password_temporary', 'password_changed_at', 'password_revoked_at', 'public_key'],
  signature: ['key', 'proof', 'signed'],
  inventory: ['part'],
  order: ['customer'],
  'lab-result': ['inspection'],
};

/** Of a lot what its list and its own answer have, but for what follows from the calendar. */
const OF_A_LOT = [...new Set([...inventoryDetailFields, ...inventoryListFields])].filter(
  name => name !== 'is_expiry_soon',
);

/** The members of a record's answer that are in its report. */
export function reportedFields(family: Family): readonly string[] {
  const left = LEFT_OUT[family.name as FamilyName] ?? [];
  const names = family.operations.listForm === 'inventory' ? OF_A_LOT : returnedFields(family);
  return names.filter(name => !left.includes(name));
}

/** All families but those whose records a machine makes about itself, by their contract. */
export function reportedFamilies(): ReportedFamily[] {
  return Object.values<Family>(families)
    .filter(({ isByMachine }) => !isByMachine)
    .map(family => {
      const singular = snake(family.name);
      const called = { view: snake(family.path.slice(1)), id: singular, items: singular };
      const further = isCorrected(family) ? [CORRECTIONS] : [];
      const rows = rowsOf(family, called, reportedFields(family), further);
      return { family: family.name as FamilyName, ...rows, description: family.description };
    });
}

const CORRECTIONS: Column = {
  name: 'corrections_count',
  type: 'bigint',
  description: 'How often saved values of the record were replaced.',
};

function rowsOf(
  described: Family | Collection,
  called: { view: string; id: string; items: string },
  names: readonly string[],
  further: readonly Column[] = [],
): ReportedRows {
  const columns = names.flatMap(name => {
    const field = described.fields[name];
    return field && name !== 'id' ? [columnOf(name, field)] : [];
  });
  const items = Object.entries(described.collections).map(([name, collection]) => {
    const id = snake(collection.name);
    const inside = { view: `${called.items}_${name}`, id, items: `${called.items}_${id}` };
    return [name, rowsOf(collection, inside, returnedFields(collection))];
  });
  return {
    view: called.view,
    description: `${described.title}: items of records, one row each.`,
    idColumn: `${called.id}_id`,
    columns: [...columns, ...further],
    items: Object.fromEntries(items),
  };
}

function columnOf(name: string, field: Field): Column {
  const words = [field.label, field.description].filter(text => text !== '');
  return { name, type: typeOf(name, field), description: `${words.join('. ').replace(/\.$/, '')}.` };
}

function typeOf(name: string, { kind, schemas }: Field): ColumnType {
  switch (kind) {
    case 'id':
    case 'reference':
    case 'integer':
      return 'bigint';
    case 'number':
      return 'numeric';
    case 'boolean':
      return 'boolean';
    case 'date':
      return 'date';
    case 'timestamp':
      return 'timestamptz';
    case 'text':
    case 'long-text':
    case 'choice':
      return 'text';
    case 'text-list':
    case 'json':
      // Ids of places are answered as text.
      return name.endsWith('_id') ? 'bigint' : typeOfSchema(schemas().output);
  }
}

/** Of a value that a rule works out, by what it is answered as. */
function typeOfSchema(schema: z.ZodType): ColumnType {
  const { type, format } = z.toJSONSchema(schema, { unrepresentable: 'any' });
  if (type === 'integer') return 'bigint';
  if (type === 'number') return 'numeric';
  if (type === 'boolean') return 'boolean';
  if (type !== 'string') return 'jsonb';
  return format === 'date' ? 'date' : format === 'date-time' ? 'timestamptz' : 'text';
}

function snake(words: string): string {
  return words.replaceAll('-', '_');
}
