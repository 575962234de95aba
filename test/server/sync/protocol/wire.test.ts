import { expect, it } from 'vitest';
import {
  commitText,
  cursorText,
  FIRST_CURSOR,
  headText,
  notedText,
} from '../../../../server/sync/protocol/wire.ts';

/** Central's key outlives its versions: what one of them countersigned, each later one has to know again. */
it('what central countersigns is the same text in every version, and another one for each purpose', () => {
  expect(commitText('9f3c')).toBe('commit:9f3c');
  expect(notedText('9f3c')).toBe('noted:9f3c');
  expect(headText('9f3c')).toBe('head:9f3c');
  expect(cursorText({ epoch: 'e1', sequence: 903, hash: '9f3c' })).toBe('cursor:e1:903:9f3c');
});

it('a station that never heard of central names no epoch, no entry and no countersignature', () => {
  expect(FIRST_CURSOR).toEqual({ epoch: '', sequence: 0, hash: '', countersignature: '' });
});
