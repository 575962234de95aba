/**
 * What is mutated, and the tests that have to notice: only tests that run the mutated code in their own process. Those of
 * a part stand in one file where they can, since each file of tests needs a worker of its own for each mutant.
 */
export interface Part {
  mutate: readonly string[];
  tests: readonly string[];
}

export const parts = {
  quantities: {
    mutate: [
      'shared/quantities/decimal.ts',
      'shared/quantities/quantity.ts',
      'shared/quantities/units.ts',
      'shared/quantities/measured-unit.ts',
    ],
    tests: ['test/mutation/tests/quantities.ts'],
  },
  tolerances: {
    mutate: ['shared/quantities/tolerance.ts'],
    tests: ['test/mutation/tests/tolerances.ts'],
  },
  sampling: {
    mutate: ['shared/sampling/*.ts'],
    tests: ['test/mutation/tests/sampling.ts'],
  },
  gs1: {
    mutate: ['shared/gs1/*.ts'],
    tests: ['test/mutation/tests/gs1.ts'],
  },
  /** What the protocol's messages may hold: read once while a file is loaded, so that every test runs for each mutant. */
  messages: {
    mutate: [
      'server/sync/protocol/wire.ts',
      'server/sync/protocol/wire-schemas.ts',
      'server/sync/protocol/read-message.ts',
    ],
    tests: ['test/mutation/tests/messages.ts'],
  },
  protocol: {
    mutate: [
      'server/sync/protocol/*.ts',
      '!server/sync/protocol/wire.ts',
      '!server/sync/protocol/wire-schemas.ts',
      '!server/sync/protocol/read-message.ts',
    ],
    tests: ['test/mutation/tests/protocol.ts'],
  },
  rules: {
    mutate: ['server/rules/*.ts'],
    tests: ['test/mutation/tests/rules.ts'],
  },
} as const satisfies Record<string, Part>;

export type PartName = keyof typeof parts;

export function isPartName(name: string): name is PartName {
  return Object.hasOwn(parts, name);
}
