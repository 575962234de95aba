import { expect, it } from 'vitest';
import { entriesOf } from '../../../../renderer/screens/receiving/entries.ts';

it('what has been said of an open scan is there when it is read again', () => {
  const answers = { part: 7, rejects: true, allowed: ['unordered'] };
  const data = {
    kind: 'scan',
    text: 'HB-8',
    why: 'away',
    details: {},
    at: '2026-01-15T12:00:00.000Z',
    outcome: 'question',
    answers,
    slot: 'a',
    machine: 'b',
  };
  const [entry] = entriesOf([{ key: 'scan 1', by: null, at: data.at, data }]);
  expect(entry?.data).toEqual(data);
});
