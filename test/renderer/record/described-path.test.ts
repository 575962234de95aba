import { expect, it } from 'vitest';
import { describePath } from '../../../renderer/record/described-path.ts';
import { families } from '../../../shared/families/registry.ts';

const german: Record<string, string> = { 'Order item': 'Auftragsposition', Quantity: 'Menge' };
const word = (english: string) => german[english] ?? english;
const { inspection, order, specification } = families;

it.each([
  ['po_number', "Customer's PO number", order],
  ['items.5.quantity', 'Auftragsposition 5: Menge', order],
  ['items.5', 'Auftragsposition 5', order],
  ['samples.3.results.9.value', 'Sample 3, Result 9: Value', inspection],
  ['samples.3.results.9', 'Sample 3, Result 9', inspection],
  ['characteristics.2.is_removed', 'Characteristic 2: Removed', specification],
  ['unknown', 'unknown', order],
  ['items.5.unknown', 'Auftragsposition 5: unknown', order],
  ['lines.5.quantity', 'lines.5.quantity', order],
])('%s is told as: %s', (path, label, family) => {
  expect(describePath(family, path, word).label).toBe(label);
});

it('names its field, where it is of one', () => {
  const fieldOf = (path: string) => describePath(order, path, word).field;
  expect(fieldOf('po_number')).toBe(order.fields.po_number);
  expect(fieldOf('items.5.quantity')).toBe(order.collections.items?.fields.quantity);
  for (const path of ['items.5', 'unknown', 'lines.5.quantity', 'items.5.is_removed'])
    expect(fieldOf(path)).toBeUndefined();
});
