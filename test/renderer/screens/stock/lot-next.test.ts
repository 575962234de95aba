import { describe, expect, it } from 'vitest';
import { type LotNext, lotNext } from '../../../../renderer/screens/stock/lot-next.ts';
import { type LotLock, lotLocks } from '../../../../shared/families/lot-locks.ts';

const by = (lock: LotLock, family: string, id: number) => ({ reason: lotLocks[lock], family, id });
const inspection = (lock: LotLock) => by(lock, 'inspection', 3);
const receipt = (lock: LotLock) => by(lock, 'receiving-inspection', 5);
const person = by('person', 'inventory', 1);

describe('what comes next with a lot', () => {
  it.each<[name: string, locks: ReturnType<typeof by>[], next: LotNext]>([
    ['is moved', [], { action: 'move' }],
    ['is inspected', [inspection('inspection_open')], { settle: 'inspection_open', to: '/app/inspection/3' }],
    [
      'has failed',
      [inspection('inspection_failed')],
      { settle: 'inspection_failed', to: '/app/inspection/3' },
    ],
    [
      'has failed in the lab',
      [by('lab_failed', 'lab-result', 7)],
      { settle: 'lab_failed', to: '/app/lab/7' },
    ],
    ['is quarantined', [receipt('quarantine')], { settle: 'receipt', to: '/app/receiving/5' }],
    ['lacks a certificate', [receipt('certificate')], { settle: 'receipt', to: '/app/receiving/5' }],
    [
      'is corrected',
      [by('correction', 'correction', 2)],
      { settle: 'correction', to: '/app/records/correction/2' },
    ],
    ['is disputed', [by('conflict', 'shipment', 9)], { settle: 'conflict', to: '/app/conflicts' }],
    ['is locked by a person', [person], { action: 'lock' }],
    // What failed is looked at before what is still measured, and a person's word comes last.
    [
      'is locked twice',
      [person, inspection('inspection_open'), inspection('inspection_failed')],
      { settle: 'inspection_failed', to: '/app/inspection/3' },
    ],
  ])('that %s', (_, locks, next) => {
    expect(lotNext({ locks, quantity: 4, isExpired: false })).toEqual(next);
  });

  it('of which nothing is left is where it went, and of one that expired a report', () => {
    const locks = [inspection('inspection_failed')];
    expect(lotNext({ locks, quantity: 0, isExpired: true })).toEqual({ action: 'recall' });
    expect(lotNext({ locks: [], quantity: 1, isExpired: true })).toEqual({ action: 'ncr' });
  });

  it('knows every reason for which a lot is locked', () => {
    for (const lock of Object.keys(lotLocks) as LotLock[])
      expect(lotNext({ locks: [inspection(lock)], quantity: 1, isExpired: false }), lock).not.toEqual({
        action: 'move',
      });
  });
});
