import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a process did to its disk and its clients, in the order in which the calls came back. */
export type Traced = 'log write' | 'log sync' | 'answer 201';

/** Why system calls cannot be traced here; undefined where they can. */
export function tracingFault(): string | undefined {
  const { error, status, stderr } = spawnSync('strace', ['-e', 'trace=none', process.execPath, '-e', '0'], {
    encoding: 'utf8',
  });
  if (error) return 'strace is not installed';
  return status === 0 ? undefined : `strace is refused: ${stderr.split('\n')[0]}`;
}

/** Traces a running process while `work` runs. `file`: where strace writes. */
export async function traceSyncs(pid: number, file: string, work: () => Promise<void>): Promise<Traced[]> {
  const calls = 'trace=fdatasync,fsync,pwrite64,write,writev,sendto,sendmsg';
  const tracer = spawn('strace', ['-f', '-y', '-s', '64', '-e', calls, '-p', String(pid), '-o', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const closed = once(tracer, 'close');
  let said = '';
  tracer.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  try {
    // It says so once per thread; calls before it would be missed.
    for (let wait = 0; !/attached/.test(said); wait += 1) {
      if (tracer.exitCode !== null || wait > 3_000) throw new Error(`strace did not attach: ${said}`);
      await sleep(20);
    }
    await sleep(200);
    await work();
    await sleep(100);
  } finally {
    tracer.kill('SIGINT');
    await closed;
  }
  return eventsOf(readFileSync(file, 'utf8'));
}

/** A call that other threads interrupted in the trace counts where it came back. */
function eventsOf(trace: string): Traced[] {
  const open = new Map<string, string>();
  return trace.split('\n').flatMap((line): Traced[] => {
    const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (rest.endsWith('<unfinished ...>')) {
      open.set(thread, rest);
      return [];
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
    const call = resumed ? `${open.get(thread) ?? ''}${resumed[1]}` : rest;
    if (/^(fdatasync|fsync)\(\d+<[^>]*-wal>.*= 0$/.test(call)) return ['log sync'];
    if (/^(pwrite64|write)\(\d+<[^>]*-wal>/.test(call)) return ['log write'];
    return /^(write|writev|sendto|sendmsg)\(.*HTTP\/1\.1 201 /.test(call) ? ['answer 201'] : [];
  });
}

/** Answers that went out while something that was written to the log was not durable. */
export function hastyAnswers(events: readonly Traced[]): number {
  let isDirty = false;
  let hasWritten = false;
  return events.filter(event => {
    if (event === 'log write') {
      isDirty = true;
      hasWritten = true;
    } else if (event === 'log sync') isDirty = false;
    return event === 'answer 201' && (isDirty || !hasWritten);
  }).length;
}

/** Answers without a sync of their own since the answer before them: none where writes come one after the other. */
export function unsyncedAnswers(events: readonly Traced[]): number {
  let syncs = 0;
  return events.filter(event => {
    if (event === 'log sync') syncs += 1;
    if (event !== 'answer 201') return false;
    const isUnsynced = syncs === 0;
    syncs = 0;
    return isUnsynced;
  }).length;
}
