import { describe, expect, it } from 'vitest';
import { explore } from './explore.ts';
import { fullMachineScopes, shortMachineScopes } from './machine-scopes.ts';
import { protocol } from './protocol-table.ts';
import { fullScopes, shortScopes, signedScopes } from './scopes.ts';

const isFull = process.env.HOLDPOINT_EXPLORE === 'full';
/** Where a scope has more states, the shortest ways to so many of them are seen; the test says so. */
const MOST = Number(process.env.HOLDPOINT_EXPLORE_MOST ?? 500_000);

/**
 * With every run the shortest ways to so many states of each scope, which of most is every state. Twice as many as any fault
 * planted in these scopes needs to be found.
 */
const FIRST = isFull ? Number.POSITIVE_INFINITY : 10_000;
const FIRST_OF_MACHINES = isFull ? 15_000 : 10_000;

describe(`the first ${FIRST_OF_MACHINES} states of`, () => {
  it.each(shortMachineScopes)('$name', scope => {
    const found = explore(scope, protocol, FIRST_OF_MACHINES);
    report(found);
    expect(inWords(found)).toBe('no violation');
  });
});

describe(`${isFull ? 'every state' : `up to ${FIRST} states`} of`, () => {
  it.each(isFull ? shortScopes : [...shortScopes, ...signedScopes])('$name', scope => {
    const found = explore(scope, protocol, FIRST);
    report(found);
    expect(inWords(found)).toBe('no violation');
    expect(found.isWhole || found.states >= FIRST).toBe(true);
  });
});

if (isFull) {
  describe(`up to ${MOST} states (HOLDPOINT_EXPLORE=full) of`, () => {
    it.each([...fullScopes, ...signedScopes, ...shortMachineScopes, ...fullMachineScopes])(
      '$name',
      { timeout: 1_200_000 },
      scope => {
        const found = explore(scope, protocol, MOST);
        report(found);
        expect(inWords(found)).toBe('no violation');
      },
    );
  });
}

function report({ scope, states, depth, isWhole }: ReturnType<typeof explore>): void {
  console.log(`${scope}: ${states} states, ${depth} steps deep${isWhole ? '' : ', not the whole'}`);
}

function inWords({ violation }: ReturnType<typeof explore>): string {
  return violation ? [...violation.trace, violation.message].join('\n') : 'no violation';
}
