import { ahead, create, resolve, type Scope, set } from './scope.ts';
import { forged, renew, revoke, revokeStation } from './signed-writes.ts';

const A = set(['part:1/name', 'A']);
const A2 = set(['part:1/name', 'A2']);
const A3 = set(['part:1/name', 'A3']);
const B = set(['part:1/name', 'B']);
const B2 = set(['part:1/name', 'B2']);
const Z = set(['part:1/name', 'Z']);
const NOTES = set(['part:1/notes', 'N']);
const A_BOTH = set(['part:1/name', 'A'], ['part:2/name', 'A']);
const BAD_BOTH = set(['part:1/name', 'bad'], ['part:2/name', 'A']);
const FORBIDDEN_BOTH = set(['part:1/name', 'forbidden'], ['part:2/name', 'A']);
const ON_SECOND = set(['part:2/name', 'A2']);
const PASS = set(['part:1/passed', true]);
const REOPEN = set(['part:1/passed', null]);
const FAIL = set(['part:1/passed', false], ['part:1/notes', 'N']);
const ITEM = set(['part:1/items.8', { quantity: 2 }]);
const QUANTITY = set(['part:1/items.7.quantity', 5]);

const BAD = set(['part:1/name', 'bad']);

/** Explored with every run of the tests, the large ones in their beginning; whole by `HOLDPOINT_EXPLORE=full`. */
export const shortScopes: Scope[] = [
  { name: 'an answer that is late or lost', writes: [[A], [B], []], budgets: { timeout: 1 } },
  { name: 'a message that comes twice', writes: [[A], [B], []], budgets: { repeat: 1 } },
  { name: 'a crash of a station', writes: [[A], [B], []], budgets: { crash: 1 } },
  { name: 'a crash of central within a push', writes: [[A, A2], [B], []], budgets: { crashOfCentral: 1 } },
  {
    name: 'late, twice and a crash, alone',
    writes: [[A], [], []],
    budgets: { timeout: 1, repeat: 1, crash: 1 },
    active: [0],
  },
  { name: 'edits in a row', writes: [[A, A2], [B], []], budgets: {} },
  { name: 'one commit at a time', writes: [[A, A2], [B], []], budgets: {}, limit: 1 },
  {
    name: 'one sent ahead, and late',
    writes: [[A, A2], [], []],
    budgets: { timeout: 1 },
    ...ahead,
  },
  {
    name: 'one sent ahead, and twice',
    writes: [[A, A2], [], []],
    budgets: { repeat: 1 },
    ...ahead,
  },
  {
    name: 'one sent ahead, and a crash',
    writes: [[A, A2], [], []],
    budgets: { crash: 1 },
    ...ahead,
  },
  {
    name: 'one sent ahead, and a crash of central',
    writes: [[A, A2], [], []],
    budgets: { crashOfCentral: 1 },
    ...ahead,
  },
  {
    name: 'one sent ahead, and central restored silently',
    writes: [[A, A2], [], []],
    budgets: { copies: 1, silentRestoreOfCentral: 1 },
    ...ahead,
  },
  {
    name: 'one sent ahead, held',
    writes: [[BAD_BOTH, ON_SECOND], [], []],
    budgets: { release: 1, withdraw: 1 },
    ...ahead,
  },
  {
    name: 'one sent ahead, and a snapshot',
    writes: [[A, A2], [], [Z]],
    budgets: {},
    farBehind: 0,
    ...ahead,
  },
  { name: 'a resolution', writes: [[A, resolve('part:1/name', 'R')], [B], []], budgets: {} },
  { name: 'a verdict and its reopening', writes: [[PASS, REOPEN], [FAIL], []], budgets: {} },
  { name: 'items', writes: [[ITEM, set(['part:1/items.8.quantity', 3])], [QUANTITY], []], budgets: {} },
  {
    name: 'two records in one commit',
    writes: [[A_BOTH], [set(['part:2/name', 'B'])], []],
    budgets: {},
    isNotifiedWaiting: true,
  },
  {
    name: 'a hold',
    writes: [[BAD_BOTH, ON_SECOND], [], []],
    budgets: { release: 1, withdraw: 1 },
    isNotifiedWaiting: true,
  },
  {
    name: 'what its author may not write',
    writes: [[FORBIDDEN_BOTH, ON_SECOND], [], []],
    budgets: { release: 1, withdraw: 1 },
    isNotifiedWaiting: true,
  },
  {
    name: 'what its author may not write, and central restored',
    writes: [[set(['part:1/name', 'forbidden'])], [], []],
    budgets: { copies: 1, restoreOfCentral: 1 },
  },
  {
    name: 'a hold that its author gives up',
    writes: [[BAD_BOTH, ON_SECOND], [], []],
    budgets: { withdrawHere: 1, release: 1 },
    active: [0],
  },
  {
    name: 'a commit that is held alone, and what goes on beside it',
    writes: [[BAD, ON_SECOND], [], []],
    budgets: { release: 1, withdraw: 1, timeout: 1 },
    active: [0],
  },
  {
    name: 'a commit that is held alone, and an image of central put back',
    writes: [[BAD], [], []],
    budgets: { release: 2, copies: 1, silentRestoreOfCentral: 1 },
    active: [0],
  },
  {
    name: 'a commit that is held alone and withdrawn, and an image of central put back',
    writes: [[BAD, ON_SECOND], [], []],
    budgets: { release: 1, withdraw: 1, copies: 1, silentRestoreOfCentral: 1 },
    active: [0],
  },
  {
    name: 'a commit that is held alone, and an image of its station put back',
    writes: [[BAD], [], []],
    budgets: { release: 1, withdraw: 1, copies: 1, silentRestoreOfStation: 1 },
    active: [0],
  },
  {
    name: 'the same key twice',
    writes: [[create('part:9', 'A'), set(['part:9/name', 'A2'])], [create('part:9', 'B')], []],
    budgets: {},
  },
  { name: 'central restored', writes: [[A], [], []], budgets: { copies: 1, restoreOfCentral: 1 } },
  {
    name: 'central restored silently',
    writes: [[A], [], []],
    budgets: { copies: 1, silentRestoreOfCentral: 1 },
  },
  {
    name: 'central restored after a release',
    writes: [[set(['part:1/name', 'bad'])], [], []],
    budgets: { release: 1, copies: 1, restoreOfCentral: 1 },
  },
  {
    name: 'a station restored',
    writes: [[A, A2], [], []],
    budgets: { copies: 1, restoreOfStation: 1 },
    active: [0],
  },
  {
    name: 'a station restored silently',
    writes: [[A, A2], [], []],
    budgets: { copies: 1, silentRestoreOfStation: 1 },
    active: [0],
  },
  { name: 'new stations', writes: [[A], [], []], budgets: {}, areNew: true, farBehind: 0 },
  {
    name: 'a snapshot while central writes',
    writes: [[A], [], [Z, ON_SECOND]],
    budgets: { crash: 1 },
    active: [0],
    farBehind: 0,
  },
  {
    name: 'a snapshot and a late answer',
    writes: [[A], [], [Z]],
    budgets: { timeout: 1 },
    active: [0],
    farBehind: 0,
  },
  {
    name: 'a snapshot of a central that is restored',
    writes: [[A], [], [Z]],
    budgets: { copies: 1, restoreOfCentral: 1 },
    active: [0],
    farBehind: 0,
  },
  {
    name: 'a snapshot of a central that is restored silently',
    writes: [[A], [], [Z]],
    budgets: { copies: 1, silentRestoreOfCentral: 1 },
    active: [0],
    farBehind: 0,
  },
];

/** Of people who sign: their keys are replaced and revoked while stations are away, and one of them was altered. */
export const signedScopes: Scope[] = [
  { name: 'a key that is replaced', writes: [[A, A2], [B], [renew]], budgets: {}, isSigned: true },
  { name: 'a key that is revoked', writes: [[A, A2], [], [revoke]], budgets: { timeout: 1 }, isSigned: true },
  {
    name: 'a key that is revoked and replaced',
    writes: [[A, A2], [], [revoke, renew]],
    budgets: { repeat: 1 },
    active: [0],
    isSigned: true,
  },
  {
    name: 'a station that is revoked',
    writes: [[A], [B], [revokeStation]],
    budgets: { crash: 1 },
    isSigned: true,
  },
  {
    name: 'a station that was altered',
    writes: [
      [
        forged('nobody', ['part:1/name', 'F1']),
        forged('stranger', ['part:1/name', 'F2']),
        forged('replayed', ['part:2/name', 'F3']),
      ],
      [B],
      [],
    ],
    budgets: {},
    isSigned: true,
  },
  {
    name: 'what is let in that nobody proved',
    writes: [[forged('nobody', ['part:1/name', 'F1']), A], [], [renew]],
    budgets: { release: 1, withdraw: 1 },
    active: [0],
    isSigned: true,
  },
  {
    name: 'a key that is replaced, and a station put back without a word',
    writes: [[A, A2], [], [renew]],
    budgets: { copies: 1, silentRestoreOfStation: 1 },
    active: [0],
    isSigned: true,
  },
  {
    name: 'a key that is replaced, and a station restored',
    writes: [[A, A2], [], [renew]],
    budgets: { copies: 1, restoreOfStation: 1 },
    active: [0],
    isSigned: true,
  },
  {
    name: 'people who sign, and central put back without a word',
    writes: [[A], [B], []],
    budgets: { copies: 1, silentRestoreOfCentral: 1 },
    isSigned: true,
  },
  {
    name: 'people who sign, and a snapshot',
    writes: [[A], [], [renew]],
    budgets: { timeout: 1 },
    active: [0],
    farBehind: 0,
    isSigned: true,
  },
];

/** Explored as far as the number of states allows: by `HOLDPOINT_EXPLORE=full`. */
export const fullScopes: Scope[] = [
  {
    name: 'one sent ahead, and a station restored',
    writes: [[A, A2], [], []],
    budgets: { copies: 1, restoreOfStation: 1 },
    ...ahead,
  },
  {
    name: 'one sent ahead beside another station',
    writes: [[A, A2], [B], []],
    budgets: {},
    limit: 1,
    isAhead: true,
  },
  {
    name: 'two sent ahead, late, twice and a crash',
    writes: [[A, A2, A3], [], []],
    budgets: { timeout: 1, repeat: 1, crash: 1 },
    ...ahead,
  },
  {
    name: 'two sent ahead, and a crash of central',
    writes: [[A, A2, A3], [], []],
    budgets: { crashOfCentral: 1, timeout: 1 },
    ...ahead,
  },
  {
    name: 'two sent ahead, and central restored twice',
    writes: [[A, A2, A3], [], []],
    budgets: { copies: 1, restoreOfCentral: 1, silentRestoreOfCentral: 1 },
    ...ahead,
  },
  {
    name: 'two sent ahead, and a station restored silently',
    writes: [[A, A2, A3], [], []],
    budgets: { copies: 1, silentRestoreOfStation: 1 },
    ...ahead,
  },
  {
    name: 'late, twice and a crash',
    writes: [[A, A2], [B], []],
    budgets: { timeout: 1, repeat: 1, crash: 1 },
  },
  { name: 'a resolution during edits', writes: [[A, resolve('part:1/name', 'R')], [B], [Z]], budgets: {} },
  {
    name: 'two late answers, one station',
    writes: [[A, A2], [], []],
    budgets: { timeout: 2, repeat: 1 },
    active: [0],
  },
  { name: 'three edits, one commit at a time', writes: [[A, A2, A3], [B], []], budgets: {}, limit: 1 },
  {
    name: 'the same key twice, and who lost is restored',
    writes: [
      [create('part:9', 'A'), set(['part:9/name', 'A2'], ['part:1/name', 'A'])],
      [create('part:9', 'B')],
      [],
    ],
    budgets: { copies: 1, silentRestoreOfStation: 1 },
    active: [0],
  },
  { name: 'three edits each', writes: [[A, A2, A3], [B, B2, NOTES], []], budgets: {} },
  {
    name: 'a commit that is held alone, what goes on beside it, and an image of its station put back',
    writes: [[BAD, ON_SECOND], [], []],
    budgets: { release: 1, withdraw: 1, copies: 1, silentRestoreOfStation: 1 },
    active: [0],
  },
  {
    name: 'a hold beside another station',
    writes: [[BAD_BOTH, ON_SECOND], [B], []],
    budgets: { release: 1, withdraw: 1 },
  },
  {
    name: 'a hold and a late answer',
    writes: [[BAD_BOTH, ON_SECOND, A3], [], []],
    budgets: { release: 1, withdraw: 1, timeout: 1 },
    active: [0],
  },
  {
    name: 'central restored silently while its console edits',
    writes: [[A], [], [Z]],
    budgets: { copies: 1, silentRestoreOfCentral: 1 },
  },
  {
    name: 'central restored, two stations',
    writes: [[A], [B], []],
    budgets: { copies: 1, restoreOfCentral: 1 },
  },
  {
    name: 'central restored with a late answer',
    writes: [[A], [], []],
    budgets: { copies: 1, restoreOfCentral: 1, timeout: 1 },
  },
  { name: 'central restored twice', writes: [[A], [], []], budgets: { copies: 1, restoreOfCentral: 2 } },
  {
    name: 'central restored twice, silently too',
    writes: [[A], [], [Z]],
    budgets: { copies: 2, restoreOfCentral: 1, silentRestoreOfCentral: 1 },
    active: [0],
  },
  {
    name: 'a station restored twice',
    writes: [[A, A2], [], []],
    budgets: { copies: 2, restoreOfStation: 1, silentRestoreOfStation: 1 },
    active: [0],
  },
  {
    name: 'a station restored silently beside another',
    writes: [[A, A2], [B], []],
    budgets: { copies: 1, silentRestoreOfStation: 1 },
  },
  {
    name: 'central and a station restored',
    writes: [[A, A2], [], []],
    budgets: { copies: 2, restoreOfStation: 1, restoreOfCentral: 1 },
    active: [0],
  },
  {
    name: 'a station restored, and central silently',
    writes: [[A, A2], [], []],
    budgets: { copies: 2, restoreOfStation: 1, silentRestoreOfCentral: 1 },
    active: [0],
  },
  {
    name: 'central and a station restored silently',
    writes: [[A, A2], [], []],
    budgets: { copies: 2, silentRestoreOfStation: 1, silentRestoreOfCentral: 1 },
    active: [0],
  },
  {
    name: 'central restored after a withdrawal',
    writes: [[BAD_BOTH, ON_SECOND], [], []],
    budgets: { withdraw: 1, copies: 1, silentRestoreOfCentral: 1 },
    active: [0],
  },
  { name: 'two new stations', writes: [[A], [B], []], budgets: {}, areNew: true, farBehind: 0 },
  {
    name: 'a snapshot, two late answers and what central writes',
    writes: [[A, A2], [], [Z, A_BOTH]],
    budgets: { timeout: 1 },
    active: [0],
    farBehind: 1,
  },
  {
    name: 'a snapshot with holds',
    writes: [[BAD_BOTH, ON_SECOND], [], [Z]],
    budgets: { release: 1, withdraw: 1, timeout: 1 },
    active: [0],
    farBehind: 0,
  },
  {
    name: 'a snapshot of a central that is restored twice',
    writes: [[A], [], [Z, ON_SECOND]],
    budgets: { copies: 2, restoreOfCentral: 1, silentRestoreOfCentral: 1 },
    active: [0],
    farBehind: 0,
  },
  {
    name: 'a snapshot at a station that is restored silently, and central too',
    writes: [[A, A2], [], []],
    budgets: { copies: 2, silentRestoreOfStation: 1, silentRestoreOfCentral: 1 },
    active: [0],
    farBehind: 0,
  },
];
