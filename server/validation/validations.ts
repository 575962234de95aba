import { rmSync } from 'node:fs';
import { AppError } from '../../shared/contract/errors.ts';
import type { ValidationReport, ValidationState } from '../../shared/operations/validation-operations.ts';
import type { AuditEvent } from '../audit/event.ts';
import type { Authority } from '../trust/authority-key.ts';
import { signReport } from './report.ts';
import { type KeptReport, reportFolder } from './report-folder.ts';
import { type Started, scratchOf, startValidation, type ValidatedConfig } from './work.ts';

/** Who asked for it. */
export type ValidationBy = Pick<AuditEvent, 'author' | 'author_name' | 'address'>;

export interface Validations {
  state(): ValidationState;
  /** Begins one in a process of its own. @throws AppError `conflict` while one runs */
  start(by: ValidationBy): ValidationState;
  /** Ends the one that runs. @throws AppError `conflict` where none does */
  cancel(by: ValidationBy): Promise<ValidationState>;
  /** @throws AppError `not_found`; `unavailable` for one that was altered */
  read(name: string): KeptReport;
  close(): Promise<void>;
}

export interface ValidationsOptions {
  config: ValidatedConfig;
  authority: Authority;
  clock: () => Date;
  note: (event: AuditEvent) => Promise<void>;
  onFault: (error: unknown) => void;
}

interface Running {
  work: Started;
  state: NonNullable<ValidationState['running']>;
  cancelledBy: ValidationBy | undefined;
  ended: Promise<void>;
}

/** Validations of this installation, beside the process that answers requests. What a former process left is removed. */
export function createValidations(options: ValidationsOptions): Validations {
  const { config, authority, clock, note, onFault } = options;
  const reports = reportFolder(config.folder);
  let running: Running | undefined;
  let failure: string | null = null;
  let isClosed = false;

  function removeScratch(): void {
    try {
      // What it had begun itself may take a moment to end.
      rmSync(scratchOf(config.folder), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    } catch (error) {
      onFault(error);
    }
  }

  function state(): ValidationState {
    return { running: running?.state ?? null, failure, reports: reports.list() };
  }

  function start(by: ValidationBy): ValidationState {
    if (isClosed) throw new AppError('unavailable', 'The server is ending.');
    if (running)
      throw new AppError('conflict', 'A validation is running. Wait until it is done, or cancel it.');
    failure = null;
    const work = startValidation(config, (done, total, [en, de]) => {
      if (running) Object.assign(running.state, { done, total, doing: { en, de } });
    });
    const begun: Running = {
      work,
      state: {
        began_at: clock().toISOString(),
        by: by.author ?? '',
        done: 0,
        total: 0,
        doing: null,
      },
      cancelledBy: undefined,
      ended: Promise.resolve(),
    };
    running = begun;
    begun.ended = follow(begun, by).finally(() => {
      running = undefined;
    });
    return state();
  }

  async function follow(begun: Running, by: ValidationBy): Promise<void> {
    const noted = note({ ...by, kind: 'validation_started' });
    try {
      const found = await begun.work.found;
      const report = signReport(authority, found, begun.state.by);
      const kept = await reports.add(report);
      await noted;
      await note({ ...by, kind: 'validated', details: validatedDetails(report, kept) });
    } catch (error) {
      failure = begun.cancelledBy
        ? 'The validation was cancelled.'
        : `The validation gave no report: ${error instanceof Error ? error.message : String(error)}`;
      if (!begun.cancelledBy && !isClosed) onFault(error);
      await noted;
      const state = begun.cancelledBy ? 'cancelled' : 'failed';
      await note({ ...(begun.cancelledBy ?? by), kind: 'validated', details: { state } });
    } finally {
      await begun.work.gone;
      removeScratch();
    }
  }

  return {
    state,
    start,
    read: reports.read,
    async cancel(by) {
      if (!running) throw new AppError('conflict', 'No validation is running. Start one.');
      const { work, ended } = running;
      running.cancelledBy = by;
      work.end();
      await ended;
      return state();
    },
    async close() {
      isClosed = true;
      running?.work.end();
      await running?.ended;
    },
  };
}

/** What the trail says of a report. */
export function validatedDetails(
  { verdict, counts }: Pick<ValidationReport, 'verdict' | 'counts'>,
  { name, sha256 }: { name: string; sha256: string },
): NonNullable<AuditEvent['details']> {
  return { report: name, verdict, ...counts, sha256 };
}
