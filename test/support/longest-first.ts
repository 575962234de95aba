import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What takes longest, with the longest first, and before everything else: the last files of a run are short, so that no
 * worker is left with a long one while the others have nothing more to do. What needs a browser comes together, since
 * its files share one.
 */
const LONGEST = [
  'test/e2e/pages',
  'test/e2e/signed-days',
  'test/e2e/setup',
  'test/e2e/quality-walk',
  'test/e2e/',
  // They wait for most of their time: best beside what does not.
  'test/system/faults/backup-folders',
  'test/server/backup/encrypted-backups',
  'test/server/qualification/planted',
  'test/system/sync/processes/cloned',
  'test/system/attack/shown-text',
  'test/build/dev',
  'test/build/validation',
  'test/build/reproducible',
  'test/build/first-change',
  'test/system/sync/processes/slow-line',
  'test/system/sync/storm/',
  'test/system/sync/week/',
  'test/system/attack/openapi-property',
  'test/system/sync/processes/renewal',
  'test/system/sync/moving/processes',
  'test/system/faults/mirror',
  'test/build/machine-service',
  'test/system/sync/versions/upgrade',
  'test/server/sync/protocol/explorer',
  'test/server/transfer/command-line',
  'test/contract/permission/planted',
  'test/system/faults/backup-key',
  'test/system/faults/page-damage',
  'test/server/store/old-data-folder',
  'test/system/sync/processes/people',
  'test/system/trust/inspectors-hour',
  'test/system/sync/processes/walk-through',
  'test/server/enrolment/https',
  'test/system/sync/processes/',
  'test/system/trust/',
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
