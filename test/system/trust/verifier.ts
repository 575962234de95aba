import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const inFolder = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const verdictSchema = z.object({ code: z.number(), output: z.string() });

interface Running {
  process: ChildProcessByStdio<Writable, Readable, null>;
  lines: Interface;
}

/**
 * One of the two programs that verify a trail, which looks at one after the other: to start them for each takes ten times as
 * long as the rest. It runs from the first trail on; `close` it.
 */
export class Verifier {
  readonly #words: readonly [program: string, ...words: string[]];
  #running: Running | undefined;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(...words: [string, ...string[]]) {
    this.#words = words;
  }

  /** The one that comes with the documents. */
  static own(): Verifier {
    return new Verifier(process.execPath, inFolder('verify-each.ts'));
  }

  /** The one that was written from the documents, in Python. */
  static second(): Verifier {
    return new Verifier('python3', inFolder('verify.py'), '--each');
  }

  /** Its exit code and output, asked with these words. */
  verify(...words: string[]): Promise<z.infer<typeof verdictSchema>> {
    const answer = this.#last.then(() => this.#ask(words));
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

  async #ask(words: readonly string[]): Promise<z.infer<typeof verdictSchema>> {
    this.#running ??= this.#start();
    const line = once(this.#running.lines, 'line');
    this.#running.process.stdin.write(`${JSON.stringify(words)}\n`);
    return verdictSchema.parse(JSON.parse(String((await line)[0])));
  }

  #start(): Running {
    const [program, ...words] = this.#words;
    const process = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    return { process, lines: createInterface(process.stdout) };
  }
}
