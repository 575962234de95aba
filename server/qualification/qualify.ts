import { mkdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../shared/contract/errors.ts';
import type { TriedRequirement, ValidationStep } from '../../shared/operations/validation-operations.ts';
import { collectSteps, type Installation } from './bench.ts';
import { NotHere, type Requirement } from './requirement.ts';
import type { Said } from './said.ts';
import { ScratchStation } from './scratch-station.ts';

/** One takes some seconds on a busy machine. */
const LONGEST_MS = 120_000;
/** Several times what was ever seen to be used. */
const NEEDED_MIB = 128;

export interface QualifyOptions {
  installation: Installation;
  requirements: readonly Requirement[];
  /** A folder of its own, made and removed again. */
  scratch: string;
  onProgress?: (done: number, total: number, doing: Said) => void;
  signal?: AbortSignal;
}

/**
 * Tries each requirement, one after the other, on a station in the scratch folder that they share.
 * @throws the signal's reason, with nothing left behind
 */
export async function qualify(options: QualifyOptions): Promise<TriedRequirement[]> {
  const { installation, requirements, scratch: folder, onProgress, signal } = options;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  refuseWithoutRoom(folder);
  const scratch = new ScratchStation(join(folder, 'data'));
  try {
    await scratch.open();
    const tried: TriedRequirement[] = [];
    for (const requirement of requirements) {
      signal?.throwIfAborted();
      onProgress?.(tried.length, requirements.length, requirement.text);
      tried.push(await tryOne(requirement, { installation, scratch, folder: join(folder, requirement.id) }));
    }
    return tried;
  } finally {
    await scratch.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }
}

/** A validation must not fill the disk that the records are written to. */
function refuseWithoutRoom(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize > NEEDED_MIB * 2 ** 20) return;
  rmSync(folder, { recursive: true, force: true });
  throw new AppError(
    'storage_full',
    `There is no room to validate: ${NEEDED_MIB} MiB are needed beside the data. Free some space, and start it again.`,
  );
}

/** @param at its `folder` is made, and removed again */
export async function tryOne(
  requirement: Requirement,
  at: { installation: Installation; scratch: ScratchStation; folder: string },
): Promise<TriedRequirement> {
  const { id, topic, text, check, references } = requirement;
  const begun = performance.now();
  const { steps, step } = collectSteps();
  mkdirSync(at.folder, { recursive: true, mode: 0o700 });
  let note: Said | null = null;
  let verdict: TriedRequirement['verdict'];
  try {
    await inTime(requirement.run({ ...at, step }));
    verdict = isMet(steps) ? 'passed' : 'failed';
  } catch (error) {
    const isElsewhere = error instanceof NotHere;
    verdict = isElsewhere && steps.every(({ is_right: isRight }) => isRight) ? 'not_tried' : 'failed';
    note = isElsewhere ? error.why : stopped(error);
  } finally {
    rmSync(at.folder, { recursive: true, force: true });
  }
  return {
    id,
    topic,
    requirement: both(text),
    references: [...references],
    check: both(check),
    steps,
    verdict,
    note: note && both(note),
    seconds: (performance.now() - begun) / 1_000,
  };
}

/** A check that hangs is one that fails; those behind it have their turn. */
async function inTime(running: Promise<void>): Promise<void> {
  const stop = new AbortController();
  const limit = sleep(LONGEST_MS, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`it did not end within ${LONGEST_MS / 1_000} seconds.`);
  });
  // Aborted, it has nothing more to say.
  limit.catch(() => {});
  try {
    await Promise.race([running, limit]);
  } finally {
    stop.abort();
  }
}

function isMet(steps: readonly ValidationStep[]): boolean {
  return steps.length > 0 && steps.every(({ is_right: isRight }) => isRight);
}

function stopped(error: unknown): Said {
  const why = error instanceof Error ? error.message : String(error);
  return [`It could not go on: ${why}`, `Es ging nicht weiter: ${why}`];
}

function both([en, de]: Said): { en: string; de: string } {
  return { en, de };
}
