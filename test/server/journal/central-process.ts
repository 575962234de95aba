import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Answer, Request } from '../../../server/sync/protocol/wire.ts';
import { centralBundle } from './central-bundle.ts';
import type { DyingPoint } from './plant-faults.ts';
import type { Standing } from './standing.ts';

export type Asked =
  | { do: 'create'; name: string }
  | { do: 'note'; name: string; value: string }
  | { do: 'exchange'; request: Request }
  | { do: 'standing' }
  | { do: 'die'; at: DyingPoint }
  | { do: 'fill' }
  | { do: 'refuse'; share: number }
  | { do: 'verify' }
  | { do: 'close' };

export interface Told {
  id: number;
  result?: unknown;
  failure?: { code: string; message: string };
}

/** The process answered that it did not, or ended before it answered: `gone`. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** One of several processes of a central, which write to one journal. */
export class CentralProcess {
  readonly #folder: string;
  readonly #url: string;
  #child: ChildProcess | undefined;
  #last = 0;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();

  constructor(folder: string, url: string) {
    this.#folder = folder;
    this.#url = url;
  }

  /** Resolves once it has taken over what the journal has. Rejects with what it says where it ends before. */
  async start(): Promise<void> {
    const child = fork(await centralBundle(), [this.#folder, this.#url], { silent: true });
    this.#child = child;
    let output = '';
    child.stderr?.setEncoding('utf8').on('data', text => {
      output += text;
    });
    child.stdout?.resume();
    const ready = this.#wait(0);
    child.on('message', ({ id, result, failure }: Told) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (failure) waiting?.reject(new Refused(failure.code, failure.message));
      else waiting?.resolve(result);
    });
    child.once('exit', () => {
      for (const waiting of this.#waiting.values()) waiting.reject(new Refused('gone', output));
      this.#waiting.clear();
    });
    await ready;
  }

  create(name: string): Promise<unknown> {
    return this.#ask({ do: 'create', name });
  }

  /** A fact beside the log. */
  note(name: string, value: string): Promise<unknown> {
    return this.#ask({ do: 'note', name, value });
  }

  exchange(request: Request): Promise<Answer> {
    return this.#ask({ do: 'exchange', request }) as Promise<Answer>;
  }

  standing(): Promise<Standing & { position: number }> {
    return this.#ask({ do: 'standing' }) as Promise<Standing & { position: number }>;
  }

  /** It ends by itself when it comes there, with nothing in order. */
  dieAt(at: DyingPoint): Promise<unknown> {
    return this.#ask({ do: 'die', at });
  }

  /** From now on its file takes nothing that the journal has taken. */
  fillDisk(): Promise<unknown> {
    return this.#ask({ do: 'fill' });
  }

  /** With what code it ends by itself. */
  async ended(): Promise<number | null> {
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return child?.exitCode ?? null;
  }

  /** So many of its statements, 0 to 1, are refused as when others were in the way; from now on it notifies nobody. */
  refuse(share: number): Promise<unknown> {
    return this.#ask({ do: 'refuse', share });
  }

  /** At once, wherever it is. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** Stands still; `continue` lets it go on. */
  freeze(): () => void {
    this.#child?.kill('SIGSTOP');
    return () => void this.#child?.kill('SIGCONT');
  }

  /** What is at fault between journal and folder. */
  verifyJournal(): Promise<string[]> {
    return this.#ask({ do: 'verify' }) as Promise<string[]>;
  }

  /** In order; answers what is found in the folder, and between journal and folder. */
  async close(): Promise<{ findings: unknown[] }> {
    const report = (await this.#ask({ do: 'close' })) as { findings: unknown[] };
    await this.kill();
    return report;
  }

  #ask(asked: Asked): Promise<unknown> {
    this.#last += 1;
    const id = this.#last;
    const answered = this.#wait(id);
    if (this.#child?.connected) this.#child.send({ ...asked, id });
    else this.#waiting.get(id)?.reject(new Refused('gone', 'It does not run.'));
    return answered;
  }

  #wait(id: number): Promise<unknown> {
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    return waiting.promise;
  }
}
