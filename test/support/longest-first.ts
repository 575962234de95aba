import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What takes longest, with the longest first, and before everything else: the last files of a run are short, so that no
 * worker is left with a long one while the others have nothing more to do. What needs a browser comes together, since
 * its files share one.
 */
const LONGEST = [
  'test/e2e/pages',
  'test/e2e/signed-days',
  'test/e2e/session',
  'test/e2e/setup',
  'test/e2e/quality-walk',
  'test/e2e/',
  'test/contract/permission/planted',
  'test/build/dev',
  'test/system/sync/storm/',
  'test/system/sync/processes/slow-line',
  'test/system/sync/processes/people',
  'test/build/first-change',
  'test/system/trust/inspectors-hour',
  'test/system/faults/page-damage',
  'test/system/faults/backup-folders',
  'test/system/sync/moving/processes',
  'test/system/sync/week/',
  'test/system/sync/processes/renewal',
  'test/system/sync/processes/walk-through',
  'test/server/transfer/command-line',
  'test/server/store/old-data-folder',
  'test/server/enrolment/https',
  'test/system/sync/processes/',
  'test/system/faults/',
  '.long.test.ts',
  'test/build/',
  'test/system/',
  'test/contract/permission/',
  'test/server/sync/station/slow-line',
];

/** Begins with the longest files; the others in the order of the library. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ordered = await super.sort(files);
    return ordered.toSorted((one, other) => rankOf(one.moduleId) - rankOf(other.moduleId));
  }
}

function rankOf(path: string): number {
  const rank = LONGEST.findIndex(part => path.includes(part));
  return rank === -1 ? LONGEST.length : rank;
}
