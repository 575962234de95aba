import { expect, it } from 'vitest';
import { protocol } from './protocol-table.ts';
import { create, resolve, type Scope, set } from './scope.ts';
import { walk } from './walk.ts';

const isFull = process.env.HOLDPOINT_EXPLORE === 'full';
const COUNT = isFull ? 2_000 : 15;
const LENGTH = 150;

/** Everything at once, far too large to be explored: one way through it at a time. */
const everything: Scope = {
  name: 'everything',
  writes: [
    [
      set(['part:1/name', 'A']),
      set(['part:1/name', 'bad'], ['part:2/name', 'A']),
      create('part:9', 'A'),
      resolve('part:1/name', 'R'),
      set(['part:1/passed', true]),
      set(['part:9/name', 'A9'], ['part:1/notes', 'N']),
    ],
    [
      set(['part:1/name', 'B'], ['part:1/items.7.quantity', 5]),
      create('part:9', 'B'),
      set(['part:9/name', 'B9'], ['part:2/notes', 'B']),
      set(['part:1/passed', false], ['part:2/name', 'B']),
      set(['part:1/name', 'bad too']),
      set(['part:1/items.8', { quantity: 2 }]),
    ],
    [set(['part:1/name', 'Z']), set(['part:1/passed', null]), resolve('part:2/name', 'Z2')],
  ],
  budgets: {
    timeout: 4,
    repeat: 3,
    crash: 2,
    crashOfCentral: 2,
    copies: 5,
    restoreOfCentral: 2,
    silentRestoreOfCentral: 2,
    restoreOfStation: 2,
    silentRestoreOfStation: 2,
    release: 2,
    withdraw: 2,
  },
  limit: 3,
  isNotifiedWaiting: true,
};

const calm = { ...everything.budgets, silentRestoreOfCentral: 0, restoreOfCentral: 0 };
const scopes: Scope[] = [
  everything,
  { ...everything, limit: 1 },
  { ...everything, budgets: calm },
  { ...everything, farBehind: 2 },
  { ...everything, areNew: true, farBehind: 0, limit: 1 },
];

it(`${COUNT} ways of ${LENGTH} steps through everything at once`, { timeout: 1_200_000 }, () => {
  for (let seed = 1; seed <= COUNT; seed += 1) {
    const violation = walk(scopes[seed % scopes.length] ?? everything, protocol, seed, LENGTH);
    expect(violation, `seed ${seed}`).toBeNull();
  }
});
