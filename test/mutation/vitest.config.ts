import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { isPartName, parts } from './parts.ts';

const part = process.env.HOLDPOINT_MUTATE ?? '';
const tests = isPartName(part) ? [...parts[part].tests] : Object.values(parts).flatMap(({ tests }) => tests);

/** What takes longest comes last: a mutant that a quick test notices never gets there. */
class LongestLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = (file: TestSpecification) => Number(file.moduleId.endsWith('/explored-shortly.ts'));
    return files.toSorted(
      (one, other) => isLong(one) - isLong(other) || one.moduleId.localeCompare(other.moduleId),
    );
  }
}

/** For the mutation runs: no screens and no bundles, which would not have the mutants in them. */
export default defineConfig({
  test: {
    include: tests,
    sequence: { sequencer: LongestLast },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
