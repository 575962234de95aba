import { z } from 'zod';
import { type DesktopPolicy, desktopPolicySchema } from '../shared/contract/machine-policy.ts';
import { afterServerEnd, REFUSED } from './restart-policy.ts';

/** The server process: the part of Electron's `UtilityProcess` that is used. */
export interface ServerChild {
  postMessage(message: 'stop' | 'wake'): void;
  /** Ends it at once. */
  kill(): boolean;
  /** Undefined before it runs and after its end. */
  readonly pid?: number | undefined;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'exit', listener: (code: number) => void): unknown;
}

export type ServerState =
  | { kind: 'starting' | 'stopping' | 'stopped' }
  | { kind: 'running'; origin: string; firstCode: string | null }
  /** The service of the machine, or another person's app at it, runs the server of the data; it is used until it ends. */
  | { kind: 'elsewhere'; origin: string }
  | { kind: 'waiting'; waitMs: number }
  /** It does not start; a person decides. */
  | { kind: 'failed'; why: ServerFailure };

/** `no_service`: the server of the machine does not answer, which only its administrators can mend. */
export type ServerFailure = 'refused' | 'keeps_ending' | 'silent' | 'no_service';

export interface ServerSupervisorOptions {
  fork: () => ServerChild;
  onState: (state: ServerState) => void;
  /** What the machine's administrators decided for the app, which the server has read; before it runs. */
  onPolicy?: (policy: DesktopPolicy) => void;
  /** Milliseconds since some moment. */
  now?: () => number;
  /** Milliseconds until the server has said that it started, or that it prepares the data for it. */
  startLimit?: number;
  /** Whether a server answers there. */
  isAnswering?: (origin: string) => Promise<boolean>;
  /** Milliseconds until a server that was told to stop is ended: longer than the longest write. */
  stopLimit?: number;
}

export interface ServerSupervisor {
  state(): ServerState;
  /** Where the server is; undefined while it does not run. */
  origin(): string | undefined;
  /** Starts it, also after it has failed. */
  start(): void;
  /** Tells it to end in order and waits until it has: running requests finish, the store closes. */
  stop(): Promise<void>;
  /** Tells it to end in order, without waiting; the number of its process, undefined where none runs. */
  tellToStop(): number | undefined;
  /** The machine was asleep. */
  wake(): void;
}

const startedSchema = z.object({
  type: z.literal('server-started'),
  origin: z.url({ protocol: /^http$/ }),
  firstCode: z.string().nullable(),
  policy: desktopPolicySchema.optional(),
});

const elsewhereSchema = z.object({
  type: z.literal('server-elsewhere'),
  origin: z.url({ protocol: /^http$/ }),
  policy: desktopPolicySchema.optional(),
});
/** Milliseconds between two looks at a server that is another's, and after one that did not answer; how many such until it is gone. */
export const WATCH_MS = 2_000;
export const AGAIN_MS = 250;
const MISSED = 2;

/** It brings the data of an earlier version to its own form, which may take minutes. */
const preparingSchema = z.object({ type: z.literal('server-preparing') });

/** Keeps the server process running: see `afterServerEnd`. The store withstands any end, so none is feared. */
export function createServerSupervisor(options: ServerSupervisorOptions): ServerSupervisor {
  const { fork, onState, now = () => performance.now(), startLimit = 30_000, stopLimit = 60_000 } = options;
  const { isAnswering = answers, onPolicy = () => {} } = options;
  let state: ServerState = { kind: 'stopped' };
  let child: ServerChild | undefined;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let onStopped: () => void = () => {};
  let stopped: Promise<void> | undefined;

  const become = (next: ServerState) => {
    clearTimeout(timer);
    state = next;
    onState(next);
  };

  function start(): void {
    if (child || state.kind === 'stopping') return;
    const begun = now();
    const own = fork();
    let isSilent = false;
    let elsewhere: string | undefined;
    child = own;
    become({ kind: 'starting' });
    timer = setTimeout(() => {
      isSilent = true;
      own.kill();
    }, startLimit);
    own.on('message', message => {
      if (preparingSchema.safeParse(message).success && state.kind === 'starting' && !isSilent) {
        clearTimeout(timer);
        return;
      }
      const other = elsewhereSchema.safeParse(message).data;
      if (other) {
        elsewhere = other.origin;
        onPolicy(other.policy ?? {});
      }
      const started = startedSchema.safeParse(message);
      if (!started.success || state.kind !== 'starting' || isSilent) return;
      const { origin, firstCode, policy = {} } = started.data;
      onPolicy(policy);
      become({ kind: 'running', origin, firstCode });
    });
    own.on('exit', code => {
      child = undefined;
      if (state.kind === 'stopping') {
        become({ kind: 'stopped' });
        return onStopped();
      }
      if (code === REFUSED && elsewhere !== undefined) return use(elsewhere);
      if (isSilent) return become({ kind: 'failed', why: 'silent' });
      const next = afterServerEnd({ code, ranFor: now() - begun, failures });
      if (next.kind === 'give_up') return become({ kind: 'failed', why: next.why });
      failures = next.failures;
      become({ kind: 'waiting', waitMs: next.waitMs });
      timer = setTimeout(start, next.waitMs);
    });
  }

  /** Goes on with another's server, and starts an own one when that has ended. */
  function use(origin: string): void {
    become({ kind: 'elsewhere', origin });
    const own = state;
    let missed = 0;
    const look = async (): Promise<void> => {
      missed = (await isAnswering(origin)) ? 0 : missed + 1;
      if (state !== own) return;
      if (missed >= MISSED) return start();
      timer = setTimeout(() => void look(), missed > 0 ? AGAIN_MS : WATCH_MS);
    };
    void look();
  }

  return {
    state: () => state,
    origin: () => ('origin' in state ? state.origin : undefined),
    start() {
      if (state.kind !== 'failed' && state.kind !== 'stopped') return;
      failures = 0;
      start();
    },
    async stop() {
      const running = child;
      if (!running) {
        become({ kind: 'stopped' });
        return;
      }
      stopped ??= new Promise(resolve => {
        onStopped = () => {
          stopped = undefined;
          resolve();
        };
        const isTold = state.kind === 'stopping';
        become({ kind: 'stopping' });
        timer = setTimeout(() => running.kill(), stopLimit);
        if (!isTold) running.postMessage('stop');
      });
      await stopped;
    },
    tellToStop() {
      const running = child;
      if (running && state.kind !== 'stopping') {
        become({ kind: 'stopping' });
        running.postMessage('stop');
      }
      return running?.pid;
    },
    wake: () => child?.postMessage('wake'),
  };
}

export async function answers(origin: string): Promise<boolean> {
  try {
    const answer = await fetch(`${origin}/api/v2/status`, { signal: AbortSignal.timeout(WATCH_MS) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    // Whatever keeps it from answering.
    return false;
  }
}
