import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SERVER_FLAGS } from '../../server/app/supervisor.ts';
import type { SyncState } from '../../shared/operations/exchange-operations.ts';
import { freePort, MeasuredProcess } from './measured-process.ts';

export const TOKEN = 'bench';
/** Flags of a process that `heldUp` asks. */
export const PROBE = ['--import', resolve('test/bench/loop-delay.ts')];
/** Seldom: who asks costs time of those who are asked. */
const POLL_MS = 500;

export interface MachineOptions {
  folder: string;
  /** Any free one, unless it is given. */
  port?: number | undefined;
  /** The bundle, unless it is given. */
  program?: string | undefined;
  /** `127.0.0.1:<port>` of the proxy that it is reached by. */
  host?: string | undefined;
  /** Of a central that several processes serve, its journal. */
  journal?: string | undefined;
}

/** The server process of an installation, station or central, on a data folder and a port that stay the same. */
export class BenchMachine {
  readonly folder: string;
  readonly port: number;
  readonly #role: 'serve' | 'central';
  readonly #program: string;
  /** Under which it is reached beside its own address: that of a proxy. */
  readonly #host: string;
  readonly #journal: string | undefined;
  #process: MeasuredProcess | undefined;

  private constructor(role: 'serve' | 'central', port: number, options: MachineOptions) {
    const { folder, program, host } = options;
    this.folder = folder;
    this.port = port;
    this.#role = role;
    this.#program = program ?? 'dist/server/main.js';
    this.#host = host ?? '';
    this.#journal = options.journal;
  }

  /** Not started yet. */
  static async at(role: 'serve' | 'central', options: MachineOptions): Promise<BenchMachine> {
    return new BenchMachine(role, options.port ?? (await freePort()), options);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get process(): MeasuredProcess {
    if (!this.#process) throw new Error('The machine has not been started.');
    return this.#process;
  }

  /** @param flags further ones of Node: `--cpu-prof`, say */
  async start(flags: readonly string[] = []): Promise<void> {
    const args = [...SERVER_FLAGS, ...flags, this.#program, 'run', this.#role];
    this.#process = await MeasuredProcess.start(args, 'serves', {
      HOLDPOINT_DATA: this.folder,
      HOLDPOINT_PORT: String(this.port),
      HOLDPOINT_HOSTS: this.#host,
      HOLDPOINT_TOKEN: TOKEN,
      HOLDPOINT_LOG: 'warn',
      ...(this.#journal && { HOLDPOINT_JOURNAL: this.#journal }),
    });
  }

  async stop(signal?: NodeJS.Signals): Promise<void> {
    await this.#process?.stop(signal);
    this.#process = undefined;
  }

  /** The data of a success; any other answer ends the benchmark. */
  async ask(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.origin}/api/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const answer: unknown = await response.json();
    if (!response.ok || typeof answer !== 'object' || answer === null || !('data' in answer))
      throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer).slice(0, 500)}`);
    return answer.data;
  }

  async sync(): Promise<SyncState> {
    return (await this.ask('GET', '/x/sync')) as SyncState;
  }

  /** Joins a central at an address, which may be of a proxy before it. */
  async enrolAt(central: BenchMachine, name: string, address: string): Promise<void> {
    const code = (await central.ask('POST', '/x/enrolment-codes', { name, hours: 24 })) as { code: string };
    await this.ask('POST', '/x/sync/enrol', { address, code: code.code });
  }

  /** Waits for a state of the exchange. */
  async until(isIt: (state: SyncState) => boolean, limitMs = 600_000): Promise<void> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      const state = await this.sync();
      if (isIt(state)) return;
      if (performance.now() > deadline) throw new Error(`Waited too long: ${JSON.stringify(state)}`);
      await sleep(POLL_MS);
    }
  }
}

/** Everything is exchanged, and the digests of both sides agree. */
export function isInStep(state: SyncState): boolean {
  return state.state === 'in_step' && state.unsent === 0 && state.digests_agree === true;
}

/** For how many milliseconds the event loop of a machine that was started with `PROBE` was held up at most since this was asked last. */
export async function heldUp({ process }: BenchMachine): Promise<{ wall: number; processor: number }> {
  const said = await process.asksBySignal('SIGUSR2', 'loop held up');
  const [wall = 0, processor = 0] = (said.match(/\d+/g) ?? []).map(Number);
  return { wall, processor };
}
