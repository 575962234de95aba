import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import {
  givenReasons,
  ownReasons,
  type ReasonKind,
  reasonKindOf,
  rememberReason,
} from '../../../../renderer/ui/reason/reasons.ts';
import { texts } from '../../../../renderer/ui/reason/texts.ts';

const kinds: ReasonKind[] = [
  'measured',
  'quantity',
  'label',
  'verdict',
  'release',
  'shipment',
  'acceptance',
  'finalising',
  'shipping',
  'judging',
  'general',
  'own',
];

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
});
afterAll(() => {
  vi.unstubAllGlobals();
});

it.each(kinds)('what is offered of the kind %s has words, and a key with what one has typed', kind => {
  const names = givenReasons(kind);
  for (const name of names) {
    expect(texts.en[`given.${name}`], name).toBeTruthy();
    expect(texts.de[`given.${name}`], name).toBeTruthy();
  }
  for (const reason of ['a', 'b', 'c', 'd']) rememberReason(1, kind, reason);
  expect(names.length + ownReasons(1, kind).length).toBeLessThanOrEqual(9);
});

it.each([
  [['samples.3.results.4.value'], 'measured'],
  [['lab_data'], 'measured'],
  [['items.7.quantity_accepted', 'items.7.quantity_rejected'], 'quantity'],
  [['items.7.expiry_date', 'serial_number'], 'label'],
  [['passed'], 'verdict'],
  [['is_quarantined'], 'release'],
  [['actual_ship_date'], 'shipment'],
  [['items.7.quantity_accepted', 'items.7.expiry_date'], 'general'],
  [[], 'general'],
])('for %j people say what they say of the kind %s', (paths, kind) => {
  expect(reasonKindOf(paths)).toBe(kind);
});

it('remembers what each person typed last of a kind, newest first and once', () => {
  for (const reason of ['first', 'second', 'first', 'third', 'fourth']) rememberReason(7, 'measured', reason);
  expect(ownReasons(7, 'measured')).toEqual(['fourth', 'third', 'first']);
  expect(ownReasons(8, 'measured')).toEqual([]);
  // Why something was corrected is no reason of a first verdict.
  for (const kind of ['judging', 'finalising'] as const) expect(ownReasons(7, kind)).toEqual([]);
});

it('takes no harm from what something else has put there', () => {
  localStorage.setItem('holdpoint.reasons.7.label', '{"not": "a list"}');
  expect(ownReasons(7, 'label')).toEqual([]);
  localStorage.setItem('holdpoint.reasons.7.label', '["cut off');
  expect(ownReasons(7, 'label')).toEqual([]);
});
