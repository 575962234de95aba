import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalCommit } from '../../../server/store/canonical-commit.ts';
import type { Commit } from '../../../server/store/changes.ts';
import { canonicalJson } from '../../../shared/contract/canonical-json.ts';

const text = fc.string({ unit: 'binary', maxLength: 8 });
const value = fc.oneof(
  text,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constant(null),
  fc.boolean(),
  fc.jsonValue(),
);
const further = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ extra: 1 }) },
);
const change = fc
  .tuple(fc.record({ path: text, old: value, new: value, over: fc.array(text, { maxLength: 2 }) }), further)
  .map(([known, more]) => ({ ...more, ...known }));
const entry = fc.tuple(fc.record({ subject: text, changes: fc.array(change, { maxLength: 3 }) }), further);
const commit = fc
  .tuple(
    fc.record({
      reason: fc.option(text),
      chain: text,
      number: fc.nat(),
      commit_id: text,
      at: text,
      clock_offset: fc.option(fc.integer()),
      user: text,
      entries: fc.array(
        entry.map(([known, more]) => ({ ...known, ...more })),
        { maxLength: 2 },
      ),
      previous_hash: text,
    }),
    further,
  )
  .map(([known, more]) => ({ ...known, ...more }));

it('is the canonical JSON of everything but the hash, whatever there is', () => {
  fc.assert(
    fc.property(commit, one => {
      expect(canonicalCommit(one)).toBe(canonicalJson(one));
      expect(canonicalCommit({ ...one, hash: 'h' })).toBe(canonicalJson(one));
    }),
    { numRuns: 500 },
  );
});

it('covers a member that stands in the place of a missing one', () => {
  const whole: Omit<Commit, 'hash'> = {
    chain: 'dock.1',
    number: 1,
    commit_id: 'c1',
    at: '2026-06-15T12:00:00.000Z',
    clock_offset: null,
    user: 'ann',
    reason: null,
    entries: [],
    previous_hash: '',
  };
  const { reason: _, ...rest } = whole;
  const other = { ...rest, odd: 'x' } as unknown as Commit;
  expect(canonicalCommit(other)).toBe(canonicalJson(other));
});
