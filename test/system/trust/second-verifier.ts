import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const PROGRAM = fileURLToPath(new URL('verify.py', import.meta.url));

const verdictSchema = z.object({ code: z.number(), output: z.string() });

interface Running {
  process: ChildProcessByStdio<Writable, Readable, null>;
  lines: Interface;
}

/** The verifier in Python: one process, from the first trail on, for all trails of a file of tests. `close` it. */
export class SecondVerifier {
  #running: Running | undefined;
  /** Files are looked at one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  /** Its exit code and output for a file. */
  verify(file: string): Promise<z.infer<typeof verdictSchema>> {
    const answer = this.#last.then(() => this.#ask(file));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async close(): Promise<void> {
    if (!this.#running) return;
    const ended = once(this.#running.process, 'close');
    this.#running.process.stdin.end();
    await ended;
    this.#running = undefined;
  }

  async #ask(file: string): Promise<z.infer<typeof verdictSchema>> {
    this.#running ??= start();
    const line = once(this.#running.lines, 'line');
    this.#running.process.stdin.write(`${file}\n`);
    return verdictSchema.parse(JSON.parse(String((await line)[0])));
  }
}

function start(): Running {
  const process = spawn('python3', [PROGRAM, '--each'], { stdio: ['pipe', 'pipe', 'inherit'] });
  return { process, lines: createInterface(process.stdout) };
}
