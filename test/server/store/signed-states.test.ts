import { expect, it, vi } from 'vitest';
import type { Commit } from '../../../server/store/changes.ts';
import { IdRemapping } from '../../../server/store/id-remapping.ts';
import { ScratchHistory } from '../../../server/store/scratch-history.ts';
import { SignedStates } from '../../../server/store/signed-states.ts';
import { stateOf } from '../../../server/store/unit-of-work.ts';
import { families } from '../../../shared/families/registry.ts';

const SUBJECT = 'ncr:7';
const ids = new IdRemapping({
  blocks: [{ from: 0, to: 3 }],
  chain: 's.1',
  isCompanyReplaced: false,
});

function commitOf(number: number, fields: Record<string, unknown>): Commit {
  const changes = Object.entries(fields).map(([path, value]) => ({ path, old: null, new: value, over: [] }));
  const about = { clock_offset: null, user: 'anna', reason: null, previous_hash: '', hash: '' };
  const place = { commit_id: `c${number}`, chain: 's.0', number, at: '2026-06-15T12:00:00.000Z' };
  return { ...about, ...place, entries: [{ subject: SUBJECT, changes }] };
}

it('any number of signatures of a record read each commit of it once, whatever the order they are asked in', () => {
  using scratch = new ScratchHistory();
  const states = [{ description: 'A' }, { description: 'A', part_id: 5 }, { description: 'B', part_id: 5 }];
  const said = [{ description: 'A' }, { part_id: 5 }, { description: 'B' }];
  for (const [place, fields] of said.entries()) scratch.add(place + 1, commitOf(place + 1, fields));
  const read = vi.spyOn(scratch.sql, 'get');
  const signed = new SignedStates(scratch.sql, ids, key => key);
  const movedAt = (place: number) => signed.at(place)(SUBJECT, stateOf(states[place - 1] ?? {}));
  const expected = states.map(fields => stateOf(ids.fields(families.ncr, fields)));
  for (let time = 0; time < 500; time += 1) expect(movedAt(2)).toBe(expected[1]);
  expect(read.mock.calls.length).toBe(2);
  expect([3, 1, 2].map(movedAt)).toEqual([3, 1, 2].map(place => expected[place - 1]));
  // Of no such state it stays what it is.
  expect(signed.at(3)(SUBJECT, 'another')).toBe('another');
});
