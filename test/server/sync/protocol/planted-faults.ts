import type { Commit } from '../../../../server/store/changes.ts';
import type { CentralReader, Received } from '../../../../server/sync/protocol/central.ts';
import { decide } from '../../../../server/sync/protocol/decide.ts';
import { HeldLine } from '../../../../server/sync/protocol/held-line.ts';
import { Layer } from '../../../../server/sync/protocol/layer.ts';
import { logEntry } from '../../../../server/sync/protocol/log.ts';
import { siblingsOf } from '../../../../server/sync/protocol/siblings.ts';
import { sameJson } from '../../../../shared/contract/canonical-json.ts';
import { shortHash } from './machines.ts';
import { plantedImageFaults } from './planted-image-faults.ts';
import { plantedMachineFaults } from './planted-machine-faults.ts';
import { plantedSignedFaults } from './planted-signed-faults.ts';
import { plantedSnapshotFaults } from './planted-snapshot-faults.ts';
import { type Protocol, protocol, terms, undecided } from './protocol-table.ts';
import { ahead, create, type Scope, set } from './scope.ts';

/** One rule replaced by a plausible wrong version, and a small scope in which that must come to light. */
export interface PlantedFault {
  name: string;
  wrong: Partial<Protocol>;
  scope: Omit<Scope, 'name'>;
}

const A = set(['part:1/name', 'A']);
const A2 = set(['part:1/name', 'A2']);
const B = set(['part:1/name', 'B']);
const A_BOTH = set(['part:1/name', 'A'], ['part:2/name', 'A']);
const BAD_BOTH = set(['part:1/name', 'bad'], ['part:2/name', 'A']);
const FORBIDDEN = set(['part:1/name', 'forbidden']);
const PASS = set(['part:1/passed', true]);
const FAIL = set(['part:1/passed', false]);

const centralRestored = { copies: 1, restoreOfCentral: 1 };
const centralRestoredSilently = { copies: 1, silentRestoreOfCentral: 1 };
const stationRestored = { copies: 1, restoreOfStation: 1 };
const stationRestoredSilently = { copies: 1, silentRestoreOfStation: 1 };

export const plantedFaults: PlantedFault[] = [
  {
    name: 'a change leaves the overlay when its push is answered',
    wrong: {
      undecided: station =>
        undecided(station).filter(({ chain, number }) => number > (station.exchange.heads?.[chain] ?? 0)),
    },
    scope: { writes: [[A, A2], [], []], budgets: {} },
  },
  {
    name: 'a commit is recognised by its number without its hash',
    wrong: {
      receiveCommit: (commit, station, read, t) =>
        protocol.receiveCommit(commit, station, { ...read, hashAt: () => commit.hash }, t),
      receiveAnswer: (answer, state, read, hash) => {
        const lenient = {
          ...read,
          hashAt: (chain: string, number: number) =>
            hashSaid(answer, chain, number) ?? read.hashAt(chain, number),
        };
        return protocol.receiveAnswer(answer, state, lenient, hash);
      },
    },
    scope: { writes: [[A, A2], [], []], budgets: stationRestoredSilently, active: [0] },
  },
  {
    name: 'what a change replaces is told by the old value and not by `over`',
    wrong: { receiveCommit: deciding((commit, read) => ({ ...commit, entries: overByValue(commit, read) })) },
    scope: { writes: [[A], [B, set(['part:1/name', 'old'])], []], budgets: {} },
  },
  {
    name: 'a stale page is accepted',
    wrong: {
      receiveAnswer: (answer, state, read, hash) => {
        if (answer.kind !== 'page') return protocol.receiveAnswer(answer, state, read, hash);
        const lenient = { ...read, cursor: () => ({ ...answer.to, ...answer.from }) };
        return protocol.receiveAnswer(answer, { ...state, down: { request: answer.request } }, lenient, hash);
      },
    },
    scope: { writes: [[A], [], []], budgets: { timeout: 1 } },
  },
  {
    name: 'a page leaves out what the station did not say it has',
    wrong: {
      pageAnswer: (request, entries, read, t) =>
        protocol.pageAnswer({ ...request, packed: read.headsOf(request.station) }, entries, read, t),
    },
    scope: { writes: [[A], [], []], budgets: stationRestored, active: [0] },
  },
  {
    name: 'a hold does not hold what follows',
    wrong: {
      receiveCommit: (commit, station, read, t) =>
        protocol.receiveCommit(commit, station, { ...read, heldOf: () => new HeldLine([]) }, t),
    },
    scope: { writes: [[BAD_BOTH, set(['part:2/name', 'A2'])], [], []], budgets: {} },
  },
  {
    name: 'no new epoch after a restore, and a cursor known by its number',
    wrong: {
      beginsNewEpoch: false,
      checkCursor: (cursor, read) => (cursor.sequence <= read.place().sequence ? 'known' : 'unknown'),
    },
    scope: { writes: [[A], [B], []], budgets: centralRestored },
  },
  {
    name: 'what was cut is not offered',
    wrong: { cut: (to, above) => ({ ...protocol.cut(to, above), offers: [] }) },
    scope: { writes: [[A], [], []], budgets: centralRestored },
  },
  {
    name: 'offers leave the list when they are answered',
    wrong: {
      pushAnswer: (request, refused, unverified, read, t) => {
        const offered = 'offers' in request && Array.isArray(request.offers) ? request.offers : [];
        const ids = offered.map(({ commit }) => commit.commit_id);
        return protocol.pushAnswer(request, refused, [...unverified, ...ids], read, t);
      },
    },
    scope: { writes: [[A], [], []], budgets: { copies: 1, restoreOfCentral: 1, silentRestoreOfCentral: 1 } },
  },
  {
    name: 'own commits go before what is offered',
    wrong: {
      whatNext: (slot, state, read, request, limit) => {
        const own = state.heads ? read.ownAfter(state.heads, 1).length : 0;
        const later = { ...read, offersAfter: own > 0 ? () => [] : read.offersAfter };
        return protocol.whatNext(slot, state, later, request, limit);
      },
    },
    scope: { writes: [[A], [B], []], budgets: centralRestored },
  },
  {
    name: 'an offer that does not follow its chain is dropped',
    wrong: {
      receiveOffer: (offer, read, t) => {
        const received = protocol.receiveOffer(offer, read, t);
        const isAdopted = received.kind === 'append' && received.entry.commit.chain !== offer.commit.chain;
        return isAdopted ? { kind: 'present' } : received;
      },
    },
    scope: { writes: [[], [], [A, B]], budgets: centralRestoredSilently },
  },
  {
    name: 'the overlay sets values instead of deciding',
    wrong: {
      overlay: (commits, read) => {
        const shown = new Layer(read);
        for (const { commit_id, entries } of commits) {
          const effects = entries.map(({ subject, changes }) => ({
            subject,
            isNew: read.creator(subject) === undefined,
            paths: changes.map(change => ({ path: change.path, value: change.new })),
          }));
          shown.put({ commit_id, outcome: 'applied', reason: null, effects });
        }
        return { shown, decisions: [] };
      },
    },
    scope: { writes: [[PASS], [FAIL], []], budgets: {} },
  },
  {
    name: 'nobody asks whether the author may',
    wrong: {
      receiveCommit: (commit, station, read, t) =>
        protocol.receiveCommit(commit, station, read, { ...t, permissionFault: () => undefined }),
    },
    scope: { writes: [[FORBIDDEN], [], []], budgets: {} },
  },
  {
    name: 'what was held is applied when it is offered after a restore',
    wrong: {
      receiveOffer: (offer, read, t) =>
        protocol.receiveOffer(offer, read, { ...t, permissionFault: () => undefined }),
    },
    scope: { writes: [[FORBIDDEN], [], []], budgets: { copies: 1, restoreOfCentral: 1 } },
  },
  {
    name: 'a verdict is merged',
    wrong: {
      receiveCommit: (commit, station, read, t) =>
        protocol.receiveCommit(commit, station, read, { ...t, isVerdict: () => false }),
    },
    scope: { writes: [[PASS], [FAIL], []], budgets: {} },
  },
  {
    name: 'a conflict is lost when its author edits on',
    wrong: {
      receiveCommit: deciding((commit, read) => ({ ...commit, entries: overAllOnceOwn(commit, read) })),
    },
    scope: { writes: [[A, A2], [B], []], budgets: {} },
  },
  {
    name: 'a commit whose id is known is applied again',
    wrong: {
      receiveCommit: (commit, station, read, t) =>
        protocol.receiveCommit(commit, station, { ...read, isKnown: () => false }, t),
    },
    scope: { writes: [[A, A2], [], []], budgets: stationRestoredSilently, active: [0] },
  },
  {
    name: 'a restored station goes on in its old chain',
    wrong: { beginsNewChain: false },
    scope: { writes: [[A, A2], [], []], budgets: stationRestored, active: [0] },
  },
  {
    name: 'a commit is taken although those before it are missing',
    wrong: {
      receiveCommit: (commit, station, read, t) => {
        const head = { number: commit.number - 1, hash: commit.previous_hash };
        return protocol.receiveCommit(commit, station, { ...read, head: () => head }, t);
      },
    },
    scope: { writes: [[A], [], []], budgets: { repeat: 1, timeout: 1 } },
  },
  {
    name: 'a push is taken before the one that it follows',
    wrong: {
      receiveCommit: (commit, station, read, t) => {
        const isAhead = commit.number > read.head(commit.chain).number + 1;
        const head = isAhead ? { number: commit.number - 1, hash: commit.previous_hash } : undefined;
        return protocol.receiveCommit(commit, station, head ? { ...read, head: () => head } : read, t);
      },
    },
    scope: { writes: [[A, A2], [], []], budgets: {}, ...ahead },
  },
  {
    name: 'a push of another chain is sent before the last of a former one is answered',
    wrong: {
      whatNext: (slot, state, read, request, limit) => {
        const { up, heads } = state;
        if (slot !== 'ahead' || !up?.end || state.ahead)
          return protocol.whatNext(slot, state, read, request, limit);
        const { chain, number } = up.end;
        const then = { ...state, up: null, heads: { ...heads, [chain]: number } };
        const doubted = { ...read, chainInDoubt: () => read.ownAfter(then.heads, 1)[0]?.chain };
        const next = protocol.whatNext('up', then, doubted, request, limit);
        const sent = next?.state.up;
        return next && sent ? { ...next, state: { ...state, ahead: { request, end: sent.end } } } : undefined;
      },
    },
    scope: {
      writes: [[A, A2], [], []],
      budgets: { copies: 1, restoreOfStation: 1 },
      ...ahead,
    },
  },
  {
    name: 'the highest head that central ever told counts, not the newest',
    wrong: {
      receiveAnswer: (answer, state, read, hash) => {
        const next = protocol.receiveAnswer(answer, state, read, hash);
        const heads = { ...next.state.heads };
        for (const [chain, number] of Object.entries(state.heads ?? {})) {
          heads[chain] = Math.max(number, heads[chain] ?? 0);
        }
        return { ...next, state: { ...next.state, heads: next.state.heads && heads } };
      },
    },
    scope: { writes: [[A], [], []], budgets: centralRestoredSilently },
  },
  {
    name: 'a chain is not pushed on once the log decided its commits elsewhere',
    wrong: {
      ownAfter: (station, heads) =>
        protocol.ownAfter(station, heads).filter(({ commit_id }) => !station.settled.includes(commit_id)),
    },
    scope: { writes: [[A, A2], [], []], budgets: stationRestoredSilently, active: [0] },
  },
  {
    name: 'a later chain does not wait until the log holds what was answered of a former one',
    wrong: {
      chainInDoubt: station => protocol.ownAfter(station, station.exchange.heads ?? {})[0]?.chain,
    },
    scope: {
      writes: [[A, A2], [], []],
      budgets: { copies: 2, restoreOfStation: 1, silentRestoreOfCentral: 1 },
      active: [0],
    },
  },
  {
    name: 'what is created twice is merged',
    wrong: {
      receiveCommit: deciding((commit, read) => ({
        ...commit,
        entries: commit.entries.map(({ subject, changes }) => ({
          subject,
          changes: changes.map(one => ({ ...one, over: [read.creator(subject) ?? []].flat() })),
        })),
      })),
    },
    scope: { writes: [[create('part:9', 'A')], [create('part:9', 'B')], []], budgets: {} },
  },
  {
    name: 'a commit that touches two records is applied in part',
    wrong: {
      receiveCommit: deciding((commit, read) => ({
        ...commit,
        entries: commit.entries.filter(
          ({ changes }) => !changes.some(one => String(one.new).startsWith('bad')) && read,
        ),
      })),
    },
    scope: { writes: [[BAD_BOTH], [], []], budgets: {} },
  },
  {
    name: 'only the first record of a commit reaches the log',
    wrong: { receiveCommit: deciding(commit => ({ ...commit, entries: commit.entries.slice(0, 1) })) },
    scope: { writes: [[A_BOTH], [], []], budgets: {} },
  },
  ...plantedSignedFaults,
  ...plantedSnapshotFaults,
  ...plantedImageFaults,
  ...plantedMachineFaults,
];

/** Takes a commit as it is, but decides it as another. */
function deciding(other: (commit: Commit, read: CentralReader) => Commit): Protocol['receiveCommit'] {
  return (commit, station, read, t): Received => {
    const received = protocol.receiveCommit(commit, station, read, t);
    if (received.kind !== 'append') return received;
    const decisions = [decide(other(commit, read), read, terms)];
    return { ...received, entry: logEntry(read.place(), commit, decisions, shortHash) };
  };
}

function overByValue({ entries }: Commit, read: CentralReader): Commit['entries'] {
  return entries.map(({ subject, changes }) => ({
    subject,
    changes: changes.map(change => {
      const same = siblingsOf(read, subject, change.path).filter(({ value }) => sameJson(value, change.old));
      return { ...change, over: same.map(({ commit }) => commit) };
    }),
  }));
}

/** Once the author's own write is among the siblings, everything is taken as seen. */
function overAllOnceOwn({ entries, user }: Commit, read: CentralReader): Commit['entries'] {
  return entries.map(({ subject, changes }) => ({
    subject,
    changes: changes.map(change => {
      const siblings = siblingsOf(read, subject, change.path);
      const hasOwn = siblings.some(({ commit }) => commit.startsWith(user));
      return hasOwn ? { ...change, over: siblings.map(({ commit }) => commit) } : change;
    }),
  }));
}

function hashSaid(
  answer: Parameters<Protocol['receiveAnswer']>[0],
  chain: string,
  number: number,
): string | undefined {
  return answer.heads.find(head => head.chain === chain && head.number === number)?.hash;
}
