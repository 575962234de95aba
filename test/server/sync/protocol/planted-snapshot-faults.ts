import type { PlantedFault } from './planted-faults.ts';
import { protocol } from './protocol-table.ts';
import { set } from './scope.ts';

const A = set(['part:1/name', 'A']);
const B = set(['part:1/name', 'B']);
const BAD_BOTH = set(['part:1/name', 'bad'], ['part:2/name', 'A']);

const centralRestored = { copies: 1, restoreOfCentral: 1 };
const centralRestoredSilently = { copies: 1, silentRestoreOfCentral: 1 };

/** Of records in place of the log. */
export const plantedSnapshotFaults: PlantedFault[] = [
  {
    name: 'the log after a snapshot need not have the place at which its records were read',
    wrong: {
      receiveAnswer: (answer, state, read, hash) =>
        protocol.receiveAnswer(answer, state, { ...read, snapshotUntil: () => undefined }, hash),
    },
    scope: {
      writes: [[A], [], [set(['part:1/name', 'Z']), set(['part:2/name', 'Z'])]],
      budgets: centralRestoredSilently,
      active: [0],
      farBehind: 0,
    },
  },
  {
    name: 'pages of two snapshots are mixed',
    wrong: {
      receiveAnswer(answer, state, read, hash) {
        const snapshot = read.snapshot();
        if (answer.kind !== 'snapshot' || !snapshot?.at) {
          return protocol.receiveAnswer(answer, state, read, hash);
        }
        const lenient = { ...read, snapshot: () => ({ ...snapshot, at: answer.at }) };
        return protocol.receiveAnswer(answer, state, lenient, hash);
      },
    },
    scope: {
      writes: [[A], [], [set(['part:1/name', 'Z']), set(['part:2/name', 'Z'])]],
      budgets: centralRestoredSilently,
      active: [0],
      farBehind: 0,
    },
  },
  {
    name: 'what a snapshot says of own commits is not looked at',
    wrong: { ownAtSnapshot: () => ({ settled: [], opened: [] }) },
    scope: { writes: [[A], [], [B]], budgets: { timeout: 1 }, active: [0], farBehind: 0 },
  },
  {
    name: 'a snapshot leaves out what is held',
    wrong: {
      snapshotPage(request, read, t) {
        return protocol.snapshotPage(request, { ...read, allHeld: () => [] }, t);
      },
    },
    scope: { writes: [[BAD_BOTH], [], [A]], budgets: { timeout: 1 }, active: [0], farBehind: 0 },
  },
  {
    name: 'a log that began with a snapshot is folded from its beginning',
    wrong: {
      receiveAnswer(answer, state, read, hash) {
        const received = protocol.receiveAnswer(answer, state, read, hash);
        const { act } = received;
        return act.kind === 'cut' ? { ...received, act: { ...act, isAnew: false } } : received;
      },
    },
    scope: { writes: [[A], [], []], budgets: centralRestored, areNew: true, farBehind: 0 },
  },
  {
    name: 'what a snapshot holds already is offered again and again',
    wrong: {
      pushAnswer: (request, refused, unverified, read, t) => ({
        ...protocol.pushAnswer(request, refused, unverified, read, t),
        known: [],
      }),
    },
    scope: { writes: [[A], [], [B]], budgets: centralRestored, active: [0], farBehind: 1 },
  },
];
