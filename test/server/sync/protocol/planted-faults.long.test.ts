import { describe, expect, it } from 'vitest';
import { explore } from './explore.ts';
import { plantedFaults } from './planted-faults.ts';
import { protocol } from './protocol-table.ts';

const MOST = 150_000;
/** States of the same scope that are seen with the right protocol: at least so many, and as many as the fault needs. */
const LEAST_WITHOUT = process.env.HOLDPOINT_EXPLORE === 'full' ? 20_000 : 1_000;
const MOST_WITHOUT = 20_000;

describe('the explorer finds, and without it finds nothing as far into the same scope', () => {
  it.each(plantedFaults)('$name', ({ name, wrong, scope }) => {
    const found = explore({ name, ...scope }, { ...protocol, ...wrong }, MOST);
    const { violation, states } = found;
    console.log(
      [
        `${name} (${states} states):`,
        ...(violation ? [...violation.trace, violation.message] : ['not found']),
      ].join('\n  '),
    );
    expect(violation?.message).toMatch(/^[DXASCKNU]: |^The code failed/);
    const without = Math.min(Math.max(states, LEAST_WITHOUT), MOST_WITHOUT);
    expect(explore({ name, ...scope }, protocol, without).violation).toBeNull();
  });
});
