import { describe, expect, it } from 'vitest';
import { explore } from './explore.ts';
import { plantedFaults } from './planted-faults.ts';
import { protocol } from './protocol-table.ts';

const MOST = 150_000;

describe('the explorer finds', () => {
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
  });

  it.each(plantedFaults)('nothing in the same scope without: $name', ({ name, scope }) => {
    expect(explore({ name, ...scope }, protocol, 20_000).violation).toBeNull();
  });
});
