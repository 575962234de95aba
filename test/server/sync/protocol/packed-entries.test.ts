import { describe, expect, it } from 'vitest';
import type { Commit, Entry } from '../../../../server/store/changes.ts';
import type { Decision } from '../../../../server/sync/protocol/decide.ts';
import { commitHash, LOG_START, logEntry } from '../../../../server/sync/protocol/log.ts';
import {
  type CommitPlace,
  isPlain,
  type KnownEntry,
  packEntries,
  plainDecisions,
  type SignedEntry,
  unpackEntries,
} from '../../../../server/sync/protocol/packed-entries.ts';
import { NEW_PROTOCOL_STATE } from '../../../../server/sync/protocol/protocol-state.ts';
import { receiveAnswer, type StationReader } from '../../../../server/sync/protocol/station.ts';
import { type Answer, FIRST_CURSOR, type Page, type Request } from '../../../../server/sync/protocol/wire.ts';
import { answerSchema, requestSchema } from '../../../../server/sync/protocol/wire-schemas.ts';
import { answerRequest, writeAtCentral } from './central-machine.ts';
import { type Central, shortHash } from './machines.ts';
import { UNPLACED } from './model.ts';
import { BAD, protocol } from './protocol-table.ts';

const cursor = { ...FIRST_CURSOR, epoch: 'e1' };

function change(path: string, value: unknown, over: string[] = []): Entry['changes'][number] {
  return { path, old: null, new: value, over };
}

/** Commits of the station `a`, placed in its chain. */
function chainOf(...written: Entry[][]): Commit[] {
  const commits: Commit[] = [];
  for (const [index, entries] of written.entries()) {
    const previous_hash = commits.at(-1)?.hash ?? '';
    const place = { chain: 'a.0', number: index + 1, commit_id: `a${index + 1}`, previous_hash, hash: '' };
    const commit = { ...UNPLACED, user: 'ann', entries, ...place };
    commits.push({ ...commit, hash: commitHash(commit, shortHash) });
  }
  return commits;
}

const own = chainOf(
  [{ subject: 'part:1', changes: [change('name', 'One'), change('sizes', { b: 1, a: [null] })] }],
  [
    {
      subject: 'part:1',
      changes: [change('name', null, ['a1']), change('items.7', { quantity: 2 }, ['a1'])],
    },
  ],
  [{ subject: 'part:2', changes: [change('name', `${BAD} value`)] }],
  // It did not see what central wrote meanwhile.
  [{ subject: 'part:9', changes: [change('name', 'Other', ['z1']), change('passed', true, ['z1'])] }],
  [{ subject: 'part:2', changes: [change('name', 'follows what is held', ['a3'])] }],
);

const empty: Central = {
  epoch: 'e1',
  formers: [],
  chain: 'z.0',
  log: [],
  records: {},
  held: [],
  withdrawn: [],
  machines: {},
};
const begun = ['z1', 'z2', 'z3'].reduce((before, commit_id, index) => {
  const changes = [
    change('name', commit_id, index === 0 ? [] : ['z1']),
    ...(index === 2 ? [change('passed', false, ['z1'])] : []),
  ];
  const entries = [{ subject: 'part:9', changes }];
  return writeAtCentral(before, { ...UNPLACED, commit_id, entries }, protocol);
}, empty);
const asking = { request: 'r', station: 'a', protocol: 1, cursor };
const pushed = answerRequest(
  begun,
  { ...asking, kind: 'push', offers: [], commits: own },
  protocol,
  1,
).central;
const central = writeAtCentral(
  pushed,
  { ...UNPLACED, commit_id: 'z4', entries: [{ subject: 'part:8', changes: [change('name', 'last')] }] },
  protocol,
);

/** The answer to a pull, as JSON and parsed as both sides do. */
function pageFor(packed: { chain: string; number: number; hash: string }[], station = 'a'): Page {
  const asked: Request = { ...asking, station, kind: 'pull', limit: 100, packed };
  const request = requestSchema.parse(JSON.parse(JSON.stringify(asked)));
  const { answer } = answerRequest(central, request, protocol, 1);
  const parsed: Answer = answerSchema.parse(JSON.parse(JSON.stringify(answer)));
  if (parsed.kind !== 'page') throw new Error(parsed.kind);
  return parsed;
}

const here = ({ chain, number }: { chain: string; number: number }) =>
  chain === 'a.0' ? own[number - 1] : undefined;
const head = (number: number) => ({ chain: 'a.0', number, hash: own[number - 1]?.hash ?? '' });

function reader(commitAt: StationReader['commitAt']): StationReader {
  return {
    cursor: () => cursor,
    logStart: () => 0,
    snapshot: () => undefined,
    snapshotUntil: () => undefined,
    farBehind: () => Number.POSITIVE_INFINITY,
    logHashAt: () => undefined,
    ownChain: () => 'a.0',
    isOwn: chain => chain === 'a.0',
    head: () => head(own.length),
    hashAt: (chain, number) => here({ chain, number })?.hash,
    commitAt,
  };
}

function receive(page: Page, commitAt: StationReader['commitAt'] = here) {
  const link = { ...NEW_PROTOCOL_STATE, heads: {}, down: { request: 'r' } };
  return receiveAnswer(page, link, reader(commitAt), shortHash);
}

it('the log has every kind of decision', () => {
  const outcomes = central.log.flatMap(({ decisions }) => decisions.map(({ outcome }) => outcome));
  expect(new Set(outcomes)).toEqual(new Set(['applied', 'held', 'lost']));
});

describe('a packed page', () => {
  it.each([
    ['with nothing that is known', [], 0],
    ['with the first two commits known', [head(2)], 2],
    ['with all own commits known', [head(5)], 5],
    ['with a head that central has otherwise', [{ ...head(2), hash: 'other' }], 0],
    ['with a head that central does not have', [{ ...head(5), number: 6 }], 0],
  ])('gives the log as it is, %s', (_, packed, count) => {
    const page = pageFor(packed);
    expect(page.entries).toEqual([]);
    expect(page.packed?.filter(({ known }) => known)).toHaveLength(count);
    const unpacked = unpackEntries(LOG_START, page.packed ?? [], here, shortHash);
    expect(unpacked?.entries).toEqual(JSON.parse(JSON.stringify(central.log)));
    expect(unpacked?.arrived).toHaveLength(central.log.length - count);
    expect(receive(page).act).toMatchObject({ kind: 'take', entries: unpacked?.entries, cursor: page.to });
  });

  it('leaves out no commit of a station that does not ask', () => {
    const page = pageFor([head(5)], 'b');
    expect(page.packed?.some(({ known }) => known)).toBe(false);
  });

  it('says only the decisions that do not follow from their commits', () => {
    const said = pageFor([]).packed?.flatMap(({ decisions }, index) => (decisions ? [index + 1] : []));
    // Central's third write meets its second; of the station's, the third is held, the fourth lost, the fifth follows.
    expect(said).toEqual([3, 6, 7, 8]);
  });

  it('is whole for whoever does not say that he takes it packed', () => {
    const asked: Request = { ...asking, kind: 'pull', limit: 100 };
    const { answer } = answerRequest(central, asked, protocol, 1);
    expect(answer).toMatchObject({ kind: 'page', entries: central.log });
    expect(answer).not.toHaveProperty('packed');
  });

  it('in which anything is otherwise is not taken', () => {
    const page = pageFor([head(5)]);
    const changed = (text: string, by: string): Page => JSON.parse(JSON.stringify(page).replace(text, by));
    for (const other of [
      changed('"z1"', '"z9"'),
      changed(':"last"', ':"least"'),
      changed('lost', 'applied'),
    ]) {
      expect(receive(other).act.kind).toBe('stuck');
    }
    const swapped = own.map(commit => ({ ...commit, hash: 'other' }));
    expect(receive(page, ({ number }) => swapped[number - 1]).act.kind).toBe('stuck');
  });

  it('whose known commits are not here is asked for anew, with all of it', () => {
    const { state, act } = receive(pageFor([head(5)]), () => undefined);
    expect(act.kind).toBe('none');
    expect(state).toMatchObject({ heads: null, isNotified: true });
    const asked = protocol.whatNext(
      'down',
      state,
      {
        station: 'a',
        cursor: () => cursor,
        snapshot: () => undefined,
        offersAfter: () => [],
        ownAfter: () => own,
        chainInDoubt: () => 'a.0',
        hashAt: (chain, number) => here({ chain, number })?.hash,
      },
      'r2',
    );
    expect(asked?.request).toMatchObject({ kind: 'pull', packed: [] });
  });
});

describe('a commit of a packed page', () => {
  /** Entries of the log that each apply one commit. */
  function pageOf(...commits: Commit[]): SignedEntry[] {
    const entries: SignedEntry[] = [];
    for (const commit of commits) {
      const placed = logEntry(entries.at(-1) ?? LOG_START, commit, plainDecisions(commit), shortHash);
      entries.push({ ...placed, countersignature: `~${placed.sequence}` });
    }
    return entries;
  }
  const [first, second, third] = own;
  if (!first || !second || !third) throw new Error('There are three commits.');
  const placed = (number: number, previous_hash: string, chain = 'a.0'): Commit => {
    const commit = { ...first, chain, number, previous_hash, hash: '' };
    return { ...commit, hash: commitHash(commit, shortHash) };
  };

  it.each<[string, Commit[], (string | undefined)[]]>([
    ['that follows one of the page says nothing of that', [first, second, third], ['', undefined, undefined]],
    ['of another chain says what it follows', [first, placed(2, 'other', 'b.0')], ['', 'other']],
    ['after a gap says what it follows', [first, third], ['', second.hash]],
    [
      'that says the hash of the wrong one says what it follows',
      [second, third, placed(2, third.hash)],
      [first.hash, undefined, third.hash],
    ],
    ['of another line of the chain says what it follows', [first, placed(2, 'other')], ['', 'other']],
  ])('%s', (_, commits, said) => {
    const entries = pageOf(...commits);
    const packed = packEntries(entries, () => false);
    expect(packed.map(({ commit }) => commit?.previous_hash)).toEqual(said);
    expect(packed.some(({ commit }) => commit && 'hash' in commit)).toBe(false);
    expect(unpackEntries(LOG_START, packed, () => undefined, shortHash)?.entries).toEqual(entries);
  });

  it('that is not known goes on from one that is', () => {
    const entries = pageOf(first, second);
    const packed = packEntries(entries, ({ number }) => number === 1);
    expect(packed).toMatchObject([{ known: { chain: 'a.0', number: 1 } }, { commit: { number: 2 } }]);
    expect(packed[1]?.commit).not.toHaveProperty('previous_hash');
    expect(unpackEntries(LOG_START, packed, here, shortHash)).toEqual({ entries, arrived: entries.slice(1) });
  });

  it('are the same where the commits that the station has were not read', () => {
    const chain = chainOf(...own.map(({ entries }) => entries));
    const decided = chain.map((commit, index): Decision[] =>
      index === 2
        ? [{ commit_id: commit.commit_id, outcome: 'held', reason: 'follows', effects: [] }]
        : plainDecisions(commit),
    );
    let before = LOG_START;
    const whole = chain.map((commit, index) => {
      const entry = logEntry(before, commit, decided[index] ?? [], shortHash);
      before = entry;
      return { ...entry, countersignature: `s${index}` };
    });
    const unread = whole.map((entry): SignedEntry | KnownEntry => {
      const { sequence, hash, commit, decisions, countersignature } = entry;
      if (commit.number > 3) return entry;
      const known = { chain: commit.chain, number: commit.number };
      return {
        sequence,
        hash,
        known,
        ...(isPlain(commit, decisions) ? {} : { decisions }),
        countersignature,
      };
    });
    const at = ({ number }: CommitPlace) => chain[number - 1];
    const packed = packEntries(unread, () => false);
    expect(packed.map(({ known }) => known?.number)).toEqual([1, 2, 3, undefined, undefined]);
    expect(packed.slice(0, 3)).toEqual(packEntries(whole, () => true).slice(0, 3));
    expect(unpackEntries(LOG_START, packed, at, shortHash)?.entries).toEqual(whole);
  });

  it('that says nothing of one before it, which is not there, is read as the first of its chain', () => {
    const { hash: _, previous_hash: __, ...content } = first;
    const unpacked = unpackEntries(LOG_START, [{ commit: content, countersignature: '' }], here, shortHash);
    expect(unpacked?.entries[0]?.commit).toEqual(first);
  });
});

describe('decisions are plain', () => {
  const commit = own[1];
  if (!commit) throw new Error('There is a second commit.');
  const plain: Decision = {
    commit_id: 'a2',
    outcome: 'applied',
    reason: null,
    effects: [
      {
        subject: 'part:1',
        isNew: false,
        paths: [
          { path: 'name', value: null },
          { path: 'items.7', value: { quantity: 2 } },
        ],
      },
    ],
  };
  const [effect] = plain.effects;
  if (!effect) throw new Error('There is an effect.');
  const [path, item] = effect.paths;
  if (!path || !item) throw new Error('There are two paths.');
  const withPaths = (...paths: object[]) => ({ ...plain, effects: [{ ...effect, paths }] });
  const read = (...decisions: unknown[]): Decision[] => JSON.parse(JSON.stringify(decisions));

  it('when they say what follows from the commit', () => {
    expect(isPlain(commit, read(plain))).toBe(true);
    expect(isPlain(commit, plainDecisions(commit))).toBe(true);
    expect(plainDecisions(commit)).toEqual([plain]);
    const creating = own[0];
    expect(creating && plainDecisions(creating)[0]?.effects[0]?.isNew).toBe(true);
  });

  it.each<[string, unknown[]]>([
    ['none', []],
    ['a further one', [plain, { ...plain, commit_id: 'a1' }]],
    ['another outcome', [{ ...plain, outcome: 'lost' }]],
    ['another commit', [{ ...plain, commit_id: 'a1' }]],
    ['a reason', [{ ...plain, reason: 'follows' }]],
    ['a member that this version does not know', [{ ...plain, further: 1 }]],
    ['no effects', [{ ...plain, effects: [] }]],
    [
      'effects on another record besides',
      [{ ...plain, effects: [effect, { ...effect, subject: 'part:2' }] }],
    ],
    ['effects on another record', [{ ...plain, effects: [{ ...effect, subject: 'part:2' }] }]],
    ['a record that begins', [{ ...plain, effects: [{ ...effect, isNew: true }] }]],
    [
      'a member of effects that this version does not know',
      [{ ...plain, effects: [{ ...effect, further: 1 }] }],
    ],
    ['a path less', [withPaths(path)]],
    ['a path more', [withPaths(path, item, path)]],
    ['another path', [withPaths({ ...path, path: 'notes' }, item)]],
    ['another value', [withPaths(path, { ...item, value: { quantity: 3 } })]],
    ['siblings', [withPaths({ ...path, siblings: [{ commit: 'a2', value: null }] }, item)]],
  ])('but not with %s', (_, decisions) => {
    expect(isPlain(commit, read(...decisions))).toBe(false);
  });
});
