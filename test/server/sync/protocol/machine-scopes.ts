import { create, type Scope, set } from './scope.ts';

const A = set(['part:1/name', 'A']);
const C = set(['part:1/name', 'C']);
const NEW_A = create('part:9', 'A');
const NEW_C = create('part:9', 'C');
const ON_NEW = set(['part:9/name', 'on']);

/** Of one station that proves to be the newest machine with its disk. */
export const proving = { active: [0], isProving: true } satisfies Partial<Scope>;

/** A disk that was copied, and answers that were lost: explored whole with every run of the tests. */
export const shortMachineScopes: Scope[] = [
  {
    name: 'one machine: an answer that is late or lost, a message that comes twice and a crash',
    writes: [[A], [], []],
    budgets: { timeout: 1, repeat: 1, crash: 1 },
    ...proving,
  },
  {
    name: 'one machine: central restored silently',
    writes: [[A], [], []],
    budgets: { copies: 1, silentRestoreOfCentral: 1 },
    ...proving,
  },
  {
    name: 'one machine: restored',
    writes: [[A], [], []],
    budgets: { copies: 1, restoreOfStation: 1 },
    ...proving,
  },
  {
    name: 'one machine: restored silently',
    writes: [[A], [], []],
    budgets: { copies: 1, silentRestoreOfStation: 1 },
    ...proving,
  },
  {
    name: 'a disk that is copied while the machine is off',
    writes: [[A], [], []],
    writesOfCopy: [C],
    budgets: { clone: 1 },
    ...proving,
  },
  {
    name: 'a disk that is copied while the machine is off, and the choice',
    writes: [[A], [], []],
    writesOfCopy: [],
    budgets: { clone: 1, choose: 1 },
    ...proving,
  },
  {
    name: 'a disk that is copied while the machine runs',
    writes: [[A], [], []],
    writesOfCopy: [],
    budgets: { cloneRunning: 1 },
    ...proving,
  },
  {
    name: 'the same id on both machines',
    writes: [[NEW_A], [], []],
    writesOfCopy: [NEW_C],
    budgets: { clone: 1 },
    ...proving,
  },
];

/** Explored as far as the number of states allows: by `HOLDPOINT_EXPLORE=full`. */
export const fullMachineScopes: Scope[] = [
  {
    name: 'a disk that is copied with what was not sent, and what is over it',
    writes: [[NEW_A, ON_NEW], [], []],
    writesOfCopy: [],
    budgets: { clone: 1 },
    ...proving,
  },
  {
    name: 'the same id on both machines, and what is over it',
    writes: [[NEW_A, ON_NEW], [], []],
    writesOfCopy: [NEW_C, ON_NEW],
    budgets: { clone: 1, choose: 1 },
    ...proving,
  },
  {
    name: 'a disk that is copied while the machine runs, late and twice',
    writes: [[NEW_A, A], [], []],
    writesOfCopy: [NEW_C],
    budgets: { cloneRunning: 1, timeout: 1, repeat: 1 },
    ...proving,
  },
  {
    name: 'a disk that is copied, and central restored silently',
    writes: [[A], [], []],
    writesOfCopy: [C],
    budgets: { clone: 1, copies: 1, silentRestoreOfCentral: 1 },
    ...proving,
  },
  {
    name: 'a disk that is copied, with two choices and a lost answer',
    writes: [[A], [], []],
    writesOfCopy: [C],
    budgets: { clone: 1, choose: 2, timeout: 1 },
    ...proving,
  },
];
