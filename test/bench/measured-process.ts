import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** Ticks of the kernel's clock in a second, on every Linux that Node runs on. */
const TICKS = 100;

/** A process whose time and memory are counted. Linux only, as the rest of the benchmark. */
export class MeasuredProcess {
  readonly #child: ChildProcess;
  #output = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
    });
  }

  /** Starts Node with the arguments, and waits until the process writes `ready`. */
  static async start(
    args: readonly string[],
    ready: string,
    env: NodeJS.ProcessEnv = {},
  ): Promise<MeasuredProcess> {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const started = new MeasuredProcess(child);
    await started.says(ready);
    return started;
  }

  /** The first line, of those after `after` characters of what it has written, that holds the text. */
  async says(text: string, after = 0): Promise<string> {
    for (;;) {
      const line = this.#output
        .slice(after)
        .split('\n')
        .slice(0, -1)
        .find(each => each.includes(text));
      if (line !== undefined) return line;
      const isOver = this.#child.exitCode !== null || this.#child.signalCode !== null;
      if (isOver) throw new Error(`A process of the benchmark ended early:\n${this.#output.slice(-2_000)}`);
      const heard = new AbortController();
      const { signal } = heard;
      const output = once(this.#child.stdout ?? this.#child, 'data', { signal });
      await Promise.race([output, once(this.#child, 'exit', { signal })]).finally(() => heard.abort());
    }
  }

  /** Writes a line to it, and answers the next line that holds the text. */
  asks(line: string, answer: string): Promise<string> {
    const after = this.#output.length;
    this.#child.stdin?.write(`${line}\n`);
    return this.says(answer, after);
  }

  /** The same, of what a signal makes it say. */
  asksBySignal(signal: NodeJS.Signals, answer: string): Promise<string> {
    const after = this.#output.length;
    this.#child.kill(signal);
    return this.says(answer, after);
  }

  /** Seconds of a processor that it has used so far, its own and the kernel's for it. */
  cpuSeconds(): number {
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, 'latin1');
    // The name of the program is in parentheses, and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  }

  /** Megabytes of memory that it holds, and the most that it held. */
  memory(): { residentMB: number; peakMB: number } {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    const read = (name: string) =>
      Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024);
    return { residentMB: read('VmRSS'), peakMB: read('VmHWM') };
  }

  /** @param signal `SIGKILL`: as when the power fails, for the process */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    await ended;
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === 'string') throw new Error('No port.');
  return address.port;
}
