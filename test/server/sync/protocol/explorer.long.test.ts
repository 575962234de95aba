import { describe, expect, it } from 'vitest';
import { explore } from './explore.ts';
import { fullMachineScopes, shortMachineScopes } from './machine-scopes.ts';
import { protocol } from './protocol-table.ts';
import { fullScopes, shortScopes } from './scopes.ts';

const isFull = process.env.HOLDPOINT_EXPLORE === 'full';
/** Where a scope has more states, the shortest ways to so many of them are seen; the test says so. */
const MOST = Number(process.env.HOLDPOINT_EXPLORE_MOST ?? 500_000);

/** States of two machines with one disk that are seen with every run. */
const FIRST = 15_000;

describe(`the first ${FIRST} states of`, () => {
  it.each(shortMachineScopes)('$name', scope => {
    const found = explore(scope, protocol, FIRST);
    report(found);
    expect(inWords(found)).toBe('no violation');
  });
});

describe('every state of', () => {
  it.each(shortScopes)('$name', scope => {
    const found = explore(scope, protocol);
    report(found);
    expect(inWords(found)).toBe('no violation');
    expect(found.isWhole).toBe(true);
  });
});

if (isFull) {
  describe(`up to ${MOST} states (HOLDPOINT_EXPLORE=full) of`, () => {
    it.each([...fullScopes, ...shortMachineScopes, ...fullMachineScopes])(
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
