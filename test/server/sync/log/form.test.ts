import { describe, expect, it } from 'vitest';
import type { Commit } from '../../../../server/store/changes.ts';
import { formFault } from '../../../../server/sync/log/form.ts';
import { sameJson } from '../../../../shared/contract/canonical-json.ts';
import { ARRAY_LIMIT, COMMIT_LIMIT, TEXT_LIMIT } from '../../../../shared/contract/limits.ts';
import { families } from '../../../../shared/families/registry.ts';

const commit: Commit = {
  chain: 'a.1',
  number: 1,
  commit_id: 'c',
  at: '2026-11-22T08:00:00.000Z',
  clock_offset: null,
  user: 'olga',
  reason: null,
  previous_hash: '',
  hash: '',
  entries: [],
};

const isTaken = (subject: string, path: string, value: unknown) =>
  formFault({ ...commit, entries: [{ subject, changes: [{ path, old: null, new: value, over: [] }] }] }) ===
  undefined;

/** What fields are written with, and what is nearly that. */
const VALUES = [
  ...['', 'x', 'units', 'open', ' Open', '1', 'true', '2026-11-22', '2026-11-22T08:00:00.000Z'],
  ...[
    'x'.repeat(20),
    'x'.repeat(21),
    'x'.repeat(65),
    'x'.repeat(200),
    'x'.repeat(201),
    'x'.repeat(TEXT_LIMIT),
    'x'.repeat(TEXT_LIMIT + 1),
  ],
  ...[0, 1, -1, 1.5, 2 ** 53 - 1, 2 ** 53, 1e300, 0.123456, 0.1234567],
  ...[true, false, [], ['x'], [1], [null], ['x'.repeat(TEXT_LIMIT + 1)], {}, { x: 1 }],
  Array.from({ length: ARRAY_LIMIT }, () => 'x'),
  Array.from({ length: ARRAY_LIMIT + 1 }, () => 'x'),
];

describe('what arrives is looked at as what is written here', () => {
  it.each(Object.values(families))('$name: each field takes what its schema keeps as it is', family => {
    for (const [name, field] of Object.entries(family.fields)) {
      if (field.source !== 'fields' || (field.kind === 'json' && !field.writable)) continue;
      for (const value of [...VALUES, ...(field.choices ?? [])]) {
        const read = field.schemas().input.safeParse(value);
        const isKept = read.success && sameJson(read.data, value);
        expect({ name, value, isTaken: isTaken(`${family.name}:7`, name, value) }).toEqual({
          name,
          value,
          isTaken: isKept,
        });
      }
    }
  });
});

it('takes a moment only as stations write it', () => {
  const at = (text: string) => formFault({ ...commit, at: text });
  expect(at('2024-02-29T23:59:59.999Z')).toBeUndefined();
  const odd = ['2023-02-29T00:00:00.000Z', '2024-01-01T24:00:00.000Z', '0000-01-01T00:00:00.000Z'];
  for (const text of [...odd, '2024-01-01T00:00:00Z', '2024-01-01', 'garbage', ''])
    expect(at(text)).toMatch(/no moment in UTC/);
});

it('takes no more records of one commit than may be written at once', () => {
  const ofSuppliers = (count: number) =>
    formFault({
      ...commit,
      entries: Array.from({ length: count }, (_, n) => ({ subject: `supplier:${n + 1}`, changes: [] })),
    });
  expect(ofSuppliers(COMMIT_LIMIT)).toBeUndefined();
  expect(ofSuppliers(COMMIT_LIMIT + 1)).toBe('It changes more than 10000 records.');
});
