import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What takes longest, with the longest first. It begins before everything else, so that no worker is left with a long file
 * while the other has nothing more to do.
 */
const LONGEST = [
  'e2e/pages',
  'e2e/session',
  'e2e/care',
  'e2e/quality-walk',
  'system/sync/processes/walk-through',
  'system/sync/moving/processes',
  'system/sync/kit/fleet',
  'e2e/',
  'server/demo/',
  'server/sync/protocol/explorer',
  'server/transfer/command-line',
  'system/faults/kill',
  'build/package',
  'system/sync/',
  'system/faults/',
  'system/attack/',
  'server/sync/exchange/snapshot',
  'server/store/stock',
  'server/enrolment/https',
  'server/transfer/',
  'readme',
];

/** Begins with the longest files; the others in the order of the library. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ordered = await super.sort(files);
    return ordered.toSorted((one, other) => rankOf(one.moduleId) - rankOf(other.moduleId));
  }
}

function rankOf(path: string): number {
  const rank = LONGEST.findIndex(begin => path.includes(`/test/${begin}`));
  return rank === -1 ? LONGEST.length : rank;
}
