import { HOLD_SUBJECT } from '../../../../server/store/subjects.ts';
import { RELEASED } from '../../../../server/sync/protocol/decide-in-log.ts';
import { logEntry } from '../../../../server/sync/protocol/log.ts';
import { shortHash } from './machines.ts';
import type { PlantedFault } from './planted-faults.ts';
import { protocol } from './protocol-table.ts';
import { set } from './scope.ts';

const A = set(['part:1/name', 'A']);
const B = set(['part:1/name', 'B']);
const BAD = set(['part:1/name', 'bad']);
const ON_SECOND = set(['part:2/name', 'A2']);

/** Of images that are put back without a word, and of a commit that central holds alone. */
export const plantedImageFaults: PlantedFault[] = [
  {
    name: 'a central that was put back knows a cursor by its number',
    wrong: {
      checkCursor: (cursor, read, t) =>
        cursor.sequence <= read.place().sequence ? 'known' : protocol.checkCursor(cursor, read, t),
    },
    scope: { writes: [[A], [], [B]], budgets: { copies: 1, silentRestoreOfCentral: 1 } },
  },
  {
    name: 'a central that was put back believes every cursor that is later than its log',
    wrong: {
      checkCursor: (cursor, read, t) =>
        cursor.sequence > read.place().sequence ? 'known' : protocol.checkCursor(cursor, read, t),
    },
    scope: { writes: [[A], [], []], budgets: { copies: 1, silentRestoreOfCentral: 1 } },
  },
  {
    name: 'the epoch is not renewed when central learns that an image of it was put back',
    wrong: { newEpoch: central => central },
    scope: { writes: [[A], [], [B]], budgets: { copies: 1, silentRestoreOfCentral: 1 }, active: [0] },
  },
  {
    name: 'a station that was put back issues nothing again',
    wrong: { beginAgain: () => [] },
    scope: { writes: [[A, B], [], []], budgets: { copies: 1, silentRestoreOfStation: 1 }, active: [0] },
  },
  {
    name: 'a held commit holds at central all that come behind it',
    wrong: {
      receiveCommit: (commit, station, read, t) => {
        const received = protocol.receiveCommit(commit, station, read, t);
        if (received.kind !== 'append' || [...read.heldOf(station).of('part:1')].length === 0)
          return received;
        const { commit_id } = commit;
        const decisions = [{ commit_id, outcome: 'held' as const, reason: 'follows', effects: [] }];
        return { ...received, entry: logEntry(read.place(), commit, decisions, shortHash) };
      },
    },
    scope: { writes: [[BAD, ON_SECOND], [], []], budgets: {}, active: [0] },
  },
  {
    name: 'a station sends nothing behind a commit that is held',
    wrong: {
      ownAfter: (station, heads) =>
        Object.keys(station.held).length > 0 ? [] : protocol.ownAfter(station, heads),
    },
    scope: { writes: [[BAD, ON_SECOND], [], []], budgets: {}, active: [0], limit: 1 },
  },
  {
    name: 'what was released is held still, and can be released again',
    wrong: {
      logChanges: (entries, isHeld) => {
        const changes = protocol.logChanges(entries, isHeld);
        const released = entries.flatMap(({ commit }) =>
          commit.entries.flatMap(({ subject, changes: [change] }) =>
            change?.path === RELEASED ? [subject.slice(HOLD_SUBJECT.length)] : [],
          ),
        );
        return { ...changes, settled: changes.settled.filter(id => !released.includes(id)) };
      },
    },
    scope: { writes: [[BAD], [], []], budgets: { release: 2 }, active: [0] },
  },
];
