import { expect, it } from 'vitest';
import { shipmentStatus } from '../../../../renderer/screens/shipping/shipment-status.tsx';

it.each([
  [null, null, 'open'],
  ['2026-03-02', null, 'open'],
  ['2026-03-01', null, 'late'],
  ['2026-03-01', '2026-03-05', 'shipped'],
  [null, '2026-02-01', 'shipped'],
] as const)('a shipment wanted on %s that went on %s is %s on March 2', (requested, shipped, status) => {
  expect(shipmentStatus(requested, shipped, '2026-03-02')).toBe(status);
});
