import { isDeepStrictEqual } from 'node:util';
import type { ValidationStep } from '../../shared/operations/validation-operations.ts';
import type { ValidatedConfig } from '../validation/work.ts';
import type { ProgramFiles } from './program-files.ts';
import type { Said } from './said.ts';
import type { ScratchStation } from './scratch-station.ts';

/** Characters of a value in a report. */
const MOST_SHOWN = 300;

/** The installation that is qualified. It is read, and nothing of it is changed. */
export interface Installation {
  config: ValidatedConfig;
  /** The program as it lies on the disk. */
  program: ProgramFiles;
  /** Versions as the running process has them. */
  versions: { program: string; node: string; sqlite: string };
  clock: () => Date;
}

/** What a check works with. */
export interface Bench {
  installation: Installation;
  /** A station of the same program on scratch data, which all checks share. */
  scratch: ScratchStation;
  /** A folder for what the check needs besides, empty at its begin. */
  folder: string;
  /** What was done, what must be seen (compared in depth), and what was. */
  step(done: Said, expected: unknown, seen: unknown): void;
}

export interface Steps {
  steps: ValidationStep[];
  step: Bench['step'];
}

export function collectSteps(): Steps {
  const steps: ValidationStep[] = [];
  return {
    steps,
    step([en, de], expected, seen) {
      steps.push({
        done: { en, de },
        expected: shown(expected),
        seen: shown(seen),
        is_right: isDeepStrictEqual(expected, seen),
      });
    },
  };
}

/** Text as it is, lists with commas; of anything else its JSON. */
function shown(value: unknown): string {
  const text = textOf(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN - 1)}…` : text;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
