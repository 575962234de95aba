import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../../server/sync/protocol/decide.ts';
import { LOG_START, type LogEntry, logEntry, logFault } from '../../../../server/sync/protocol/log.ts';
import { canonicalJson } from '../../../../shared/contract/canonical-json.ts';
import { change, commitOf, entry } from './commits.ts';
import { shortHash } from './machines.ts';

const commit = commitOf('c1', [entry('part:1', change('name', 'One'))]);

function applied(...paths: Decision['effects'][number]['paths']): Decision {
  return {
    commit_id: 'c1',
    outcome: 'applied',
    reason: null,
    effects: [{ subject: 'part:1', isNew: true, paths }],
  };
}

const name = { path: 'name', value: 'One' };

/** What a later version may add to a decision. */
const further = { further: { b: 1, a: null } };

describe('the hash of an entry is of its canonical JSON', () => {
  const { reason: _, ...unexplained } = applied(name);
  it.each<[string, unknown[]]>([
    ['of a commit that is applied', [applied(name, { path: 'sizes', value: { b: [null], a: 1, c: null } })]],
    ['of a value that is cleared', [applied({ path: 'name', value: null })]],
    ['of a value whose members are numbers', [applied({ path: 'items', value: { 9: 1, 10: 2 } })]],
    ['of a path with siblings', [applied({ ...name, siblings: [{ commit: 'b', value: 'B' }] })]],
    ['of a commit that is held', [{ commit_id: 'c1', outcome: 'held', reason: 'follows', effects: [] }]],
    ['of several decisions', [applied(name), { ...applied(), commit_id: 'c0', effects: [] }]],
    ['of a decision with a member that this version does not know', [{ ...applied(name), ...further }]],
    ['of a decision with another in the place of the reason', [{ ...unexplained, ...further }]],
    [
      'of effects with a member that this version does not know',
      [{ ...applied(), effects: [{ subject: 'part:1', isNew: true, paths: [name], ...further }] }],
    ],
    ['of a path with one that this version does not know', [applied({ ...name, ...further })]],
    ['of a path without a value', [applied({ path: 'name', value: undefined })]],
    [
      'of a path with another member in the place of its value',
      [
        {
          ...applied(),
          effects: [{ subject: 'part:1', isNew: true, paths: [{ path: 'name', siblings: [] }] }],
        },
      ],
    ],
  ])('%s', (_, decisions) => {
    const given: Decision[] = JSON.parse(JSON.stringify(decisions));
    const { sequence, hash } = logEntry({ sequence: 6, hash: 'before' }, commit, given, text => text);
    expect(sequence).toBe(7);
    expect(hash).toBe(
      canonicalJson({ before: 'before', sequence: 7, commit: commit.hash, decisions: given }),
    );
  });
});

describe('entries that follow a place', () => {
  const first = logEntry(LOG_START, commit, [applied(name)], shortHash);
  const next = commitOf('c2', [entry('part:2', change('name', 'Two'))], { number: 2 });
  const held: Decision = { commit_id: 'c2', outcome: 'held', reason: 'follows', effects: [] };
  const second = logEntry(first, next, [held], shortHash);
  const faultOf = (...entries: LogEntry[]) => logFault(LOG_START, entries, shortHash);

  it('hold when their numbers and hashes do', () => {
    expect(faultOf()).toBeUndefined();
    expect(faultOf(first, second)).toBeUndefined();
    expect(logFault(first, [second], shortHash)).toBeUndefined();
  });

  it('do not when one is missing', () => {
    expect(faultOf(second)).toBe('Entry 2 does not follow 0.');
    expect(faultOf(first, first)).toBe('Entry 1 does not follow 1.');
  });

  it('do not when a commit, a decision or what was before is another', () => {
    const edited = { ...second, commit: { ...next, user: 'other' } };
    expect(faultOf(first, edited)).toBe('The commit of entry 2 does not match its hash.');
    const decided = { ...second, decisions: [{ ...held, reason: 'schema' }] };
    expect(faultOf(first, decided)).toBe('Entry 2 does not match its hash.');
    const elsewhere = logEntry({ sequence: 1, hash: 'other' }, next, [held], shortHash);
    expect(faultOf(first, elsewhere)).toBe('Entry 2 does not match its hash.');
  });

  it('do not when one says nothing of its own commit first', () => {
    const about = (...decisions: Decision[]) => logEntry(first, next, decisions, shortHash);
    expect(faultOf(first, about({ ...held, commit_id: 'c1' }, held))).toBe(
      'Entry 2 does not decide its commit.',
    );
    expect(faultOf(first, about())).toBe('Entry 2 does not decide its commit.');
  });
});
