/** What is mutated, and the tests that have to notice: only tests that run the mutated code in their own process. */
export interface Part {
  mutate: readonly string[];
  tests: readonly string[];
}

export const parts = {
  decimal: {
    mutate: ['shared/decimal.ts', 'shared/quantity.ts'],
    tests: ['test/shared/decimal.test.ts', 'test/shared/quantity.test.ts'],
  },
  units: {
    mutate: ['shared/units.ts', 'shared/measured-unit.ts'],
    tests: ['test/shared/units.test.ts', 'test/shared/measured-unit.test.ts'],
  },
  tolerance: {
    mutate: ['shared/tolerance.ts'],
    tests: ['test/shared/tolerance.test.ts'],
  },
  sampling: {
    mutate: ['shared/sampling/*.ts'],
    tests: ['test/shared/sampling/*.test.ts'],
  },
  gs1: {
    mutate: ['shared/gs1/*.ts'],
    tests: ['test/shared/gs1/*.test.ts'],
  },
  protocol: {
    mutate: ['server/sync/protocol/*.ts'],
    tests: [
      'test/sync/protocol/decide.test.ts',
      'test/sync/protocol/exchange.test.ts',
      'test/sync/protocol/holds.test.ts',
      'test/sync/protocol/packed-entries.test.ts',
      'test/sync/protocol/read-message.test.ts',
      'test/sync/protocol/wire-schemas.test.ts',
      'test/mutation/explored-shortly.ts',
    ],
  },
  rules: {
    mutate: ['server/rules/*.ts'],
    tests: ['test/rules/*.test.ts'],
  },
} as const satisfies Record<string, Part>;

export type PartName = keyof typeof parts;

export function isPartName(name: string): name is PartName {
  return Object.hasOwn(parts, name);
}
