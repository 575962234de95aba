import type { Logger } from 'pino';
import type { Shared } from '../journal/open-shared.ts';
import type { Reporter } from '../reports/reporter.ts';
import type { AnswerContext } from '../rules/answers.ts';
import type { Config } from './config.ts';
import { tellFaultOnce } from './tell-self-check.ts';

export interface ReportsOptions {
  config: Config;
  shared: Shared | undefined;
  reading: () => AnswerContext;
  log: Logger;
}

/** What keeps records for reports in SQL while it runs. */
export interface Reports {
  start(): void;
  stop(): Promise<void>;
}

/** Undefined where nobody asked for them (`HOLDPOINT_REPORTS`): nothing of it is loaded then. */
export function createReports({ config, shared, reading, log }: ReportsOptions): Reports | undefined {
  if (!config.hasReports || !shared) return undefined;
  const onFault = tellFaultOnce(log, 'The reports in SQL');
  let reporter: Promise<Reporter> | undefined;
  const load = async () => {
    const { Reporter } = await import('../reports/reporter.ts');
    const { reportedRecords } = await import('../http/reported-records.ts');
    return new Reporter({
      url: config.journal ?? '',
      source: reportedRecords(shared.store, reading),
      position: () => shared.shared.place.position,
      onFault,
    });
  };
  return {
    start() {
      reporter ??= load();
      reporter.then(each => each.start(), onFault);
    },
    async stop() {
      await (await reporter)?.stop();
    },
  };
}
