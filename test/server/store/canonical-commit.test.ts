import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalCommit, canonicalPieces } from '../../../server/store/canonical-commit.ts';
import type { Commit } from '../../../server/store/changes.ts';
import { textOfCommit, writingCommitText } from '../../../server/store/commit-text.ts';
import { atOnce } from '../../../server/store/yield-to-event-loop.ts';
import { canonicalJson } from '../../../shared/contract/canonical-json.ts';

const EMPTY = { subject: 'supplier:1', changes: [] };
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

it('is the same in pieces, and so is the text that history keeps', () => {
  fc.assert(
    fc.property(commit, one => {
      const whole = { ...one, hash: 'h' };
      const parts = whole.entries.map(entry => [entry]);
      expect([...canonicalPieces(whole, parts)].join('')).toBe(canonicalJson(one));
      // Somebody is called as the place of the entries is marked.
      const marked = { ...whole, user: '\u0000entries' };
      expect([...canonicalPieces(marked, parts)].join('')).toBe(canonicalCommit(marked));
      // More than one step takes.
      const entries = Array.from(
        { length: 1_200 },
        (_, n) => whole.entries[n % whole.entries.length] ?? EMPTY,
      );
      const large = { ...whole, entries };
      expect([...canonicalPieces(large)].join('')).toBe(canonicalCommit(large));
      expect(atOnce(writingCommitText(large))).toBe(textOfCommit(large));
    }),
    { numRuns: 50 },
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
