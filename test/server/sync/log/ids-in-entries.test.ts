import { expect, it } from 'vitest';
import { occurrences } from '../../../../server/sync/log/ids-in-entries.ts';
import { holdEntry, WITHDRAWN } from '../../../../server/sync/protocol/decide-in-log.ts';

it('ids stand in what is said of records: what is issued again withdraws held commits, and that names none', () => {
  const changes = [{ path: 'name', old: null, new: 'Jar', over: ['first'] }];
  const entries = [holdEntry('held', WITHDRAWN), { subject: 'part:7', changes }];
  const named = occurrences(entries).filter(({ id }) => id !== '');
  expect(named).toHaveLength(2);
  expect(named).toContainEqual({ counter: 'part', id: '7' });
  expect(named).toContainEqual({ counter: 'commit', id: 'first' });
});
