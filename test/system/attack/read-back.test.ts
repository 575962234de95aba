import { expect, it } from 'vitest';
import type { JsonSchema } from '../../../server/http/openapi/json-schema.ts';
import { differences } from './read-back.ts';

const text: JsonSchema = { type: ['string', 'null'] };
const schema: JsonSchema = {
  type: 'object',
  properties: {
    items: {
      type: 'array',
      items: { type: 'object', properties: { name: text, note: text, id: { type: 'integer' } } },
    },
  },
};

function faultsOf(sent: unknown[], answered: unknown[]): string[] {
  return differences({ value: { items: sent }, schema, ignored: [], components: {} }, { items: answered });
}

const [a, b] = [
  { id: 1, name: 'a', note: null },
  { id: 2, name: 'b', note: 'x' },
];

it.each<[string, unknown[], unknown[]]>([
  ['in the order that they were sent in', [{ name: 'a' }, { name: 'b' }], [a, b]],
  ['in another', [{ name: 'b' }, { name: 'a' }], [a, b]],
  ['where the one that says least fits both', [{}, { name: 'a' }], [a, b]],
  [
    'by their ids',
    [
      { id: 2, note: 'x' },
      { id: 1, name: 'a' },
    ],
    [a, b],
  ],
])('finds all items that were sent %s', (_name, sent, answered) => {
  expect(faultsOf(sent, answered)).toEqual([]);
});

it.each<[string, unknown[], unknown[], string]>([
  ['is missing', [{ name: 'a' }, { name: 'a' }], [a, b], 'items.1.name'],
  ['is not there at all', [{ name: 'a' }], [], 'items.0: is not there'],
  ['has another value', [{ id: 1, name: 'b' }], [a, b], 'items.0.name: sent "b", reads "a"'],
])('names an item that %s', (_name, sent, answered, fault) => {
  expect(faultsOf(sent, answered).join()).toContain(fault);
});
