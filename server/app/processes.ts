import type { Health } from '../../shared/operations/health-operations.ts';
import type { ServerCertificate } from '../enrolment/certificate.ts';
import type { AppOptions } from '../http/app.ts';
import { createForwarding } from '../http/forwarding.ts';
import type { Shared } from '../journal/open-shared.ts';
import type { Presence } from '../journal/presence.ts';
import type { Standing } from '../metrics/standing-metrics.ts';
import { PROGRAM_VERSION } from '../store/program-version.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { Config } from './config.ts';
import type { Reports } from './reports.ts';
import { betweenProcesses, reachedAt } from './shared-central.ts';

export interface ProcessesOptions {
  config: Config;
  /** Undefined: this process is all there is. */
  shared: Shared | undefined;
  /** False for a command that is its own and only client: it answers all by itself. */
  isListening: boolean;
  certificate: ServerCertificate | undefined;
  webhooks: () => Pick<Webhooks, 'start' | 'stop'>;
  reports: Reports | undefined;
  onFault: (error: unknown) => void;
}

/** This process among those that are one central, or alone: which of them does what is done at one. */
export function createProcesses({
  config,
  shared,
  isListening,
  certificate,
  webhooks,
  reports,
  onFault,
}: ProcessesOptions) {
  let presence: Presence | undefined;
  const worker = () => (shared && isListening ? presence?.worker : 'here');
  const forwarding =
    shared &&
    createForwarding({
      worker,
      key: betweenProcesses(shared.store),
      certificate: config.certificate && certificate?.certificate,
    });

  function onWork(isHere: boolean): void {
    // What the one before has noted is read first.
    const each = [webhooks(), ...(reports ? [reports] : [])];
    if (isHere)
      shared?.shared.fresh().then(() => {
        if (worker() === 'here') for (const one of each) one.start();
      }, onFault);
    else for (const one of each) one.stop().catch(onFault);
  }

  /** Whether what is done at one process alone is done here. */
  const isWorking = () => worker() === 'here';

  return {
    isWorking,

    /** What the interface asks before each request. */
    front: (shared && forwarding
      ? { shared: { fresh: () => shared.shared.fresh(), forwarding } }
      : {}) satisfies Pick<AppOptions, 'shared'>,

    /** @throws AppError `unavailable` where requests are not answered */
    health: (): Health => ({
      is_ready: true,
      journal: shared ? { behind: shared.shared.behind, is_worker: isWorking() } : null,
    }),

    /** For monitors. */
    journalStanding: (): Standing['journal'] =>
      shared && {
        behind: shared.shared.lag,
        isParted: shared.shared.parted !== undefined,
        isWorker: isWorking(),
      },

    /** Once the server listens. @throws JournalLostError */
    async start(port: number): Promise<void> {
      if (!shared || !isListening) return webhooks().start();
      const { Presence } = await import('../journal/presence.ts');
      presence = new Presence({
        url: config.journal ?? '',
        process: shared.shared.process,
        address: reachedAt(config, certificate !== undefined, port),
        version: PROGRAM_VERSION,
        position: () => shared.shared.place.position,
        // One that parted answers nobody any more.
        mayWork: () => shared.shared.parted === undefined,
        onWork,
        onFault,
      });
      await presence.start();
    },

    /** After nothing is sent from here any more: another one goes on at once. */
    async close(): Promise<void> {
      await reports?.stop();
      await presence?.close();
      forwarding?.close();
    },
  };
}
