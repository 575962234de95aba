import { expect, it } from 'vitest';
import { recordStatus } from '../../../renderer/record/record-status.tsx';
import { families } from '../../../shared/families/registry.ts';

it.each([
  ['complaint', {}, 'open'],
  ['complaint', { is_closed: true }, 'closed'],
  ['order', { is_closed: false }, 'open'],
  ['purchase-order', { is_closed: true }, 'closed'],
  ['car', { date_closed: null }, 'open'],
  ['car', { date_closed: '2026-03-02' }, 'closed'],
  ['specification', { is_approved: false }, 'draft'],
  ['specification', { is_approved: true }, 'approved'],
  ['part', {}, null],
] as const)('%s with %j is %s', (family, stored, status) => {
  expect(recordStatus(families[family], stored)).toBe(status);
});
