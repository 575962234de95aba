import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SERVER_FLAGS } from '../../server/app/supervisor.ts';
import { TOKEN } from './bench-machine.ts';
import { freePort, MeasuredProcess } from './measured-process.ts';
import { quantile } from './quantile.ts';

const FLOOD = fileURLToPath(new URL('sign-in-flood.ts', import.meta.url));
const ATTEMPTS = 10_000;
const AT_ONCE = 1_000;
const ALONE_MS = 20_000;
const READ_EVERY_MS = 10;
const SIGN_IN_EVERY_MS = 1_000;
const PASSWORD = 'seven grey herons';
/** A network of two, which no machine is likely to have already. */
const HERE = '10.231.7.1';
const THERE = '10.231.7.2';

/** Of a phase, in milliseconds. */
export interface SignInRow {
  phase: string;
  sign_ins: number;
  sign_in_median: number;
  sign_in_longest: number;
  reads: number;
  read_median: number;
  read_p99: number;
  /** How often each status was answered to the strangers. */
  strangers: Record<string, number>;
}

/**
 * People who sign in with the right password, and programs that read, beside 10,000 sign-ins with random logins: from this machine,
 * and from another network where this process may make one.
 */
export async function benchSignIn(): Promise<SignInRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-sign-in-'));
  const port = await freePort();
  const network = makeNetwork();
  const server = await MeasuredProcess.start(
    [...SERVER_FLAGS, 'dist/server/main.js', 'run', 'serve'],
    'serves',
    {
      HOLDPOINT_DATA: folder,
      HOLDPOINT_PORT: String(port),
      HOLDPOINT_HOST: network ? '0.0.0.0' : '127.0.0.1',
      HOLDPOINT_HOSTS: HERE,
      HOLDPOINT_PROXY: '1',
      HOLDPOINT_TOKEN: TOKEN,
      HOLDPOINT_LOG: 'warn',
    },
  );
  try {
    const origin = `http://127.0.0.1:${port}`;
    const user = {
      login: 'ann',
      name: 'Ann',
      roles: ['operator'],
      password: PASSWORD,
      is_password_temporary: false,
    };
    await ask(`${origin}/api/v2/x/users`, user);
    const rows: SignInRow[] = [];
    const measure = async (phase: string, strangers: Promise<Record<string, number>>) => {
      const row = await phaseOf(phase, origin, strangers);
      tell(row);
      rows.push(row);
    };
    await measure(
      'alone',
      sleep(ALONE_MS).then(() => ({})),
    );
    await measure('strangers on this machine', flood([], origin));
    if (network)
      await measure('strangers in another network', flood(network.prefix, `http://${HERE}:${port}`));
    else console.log('  strangers in another network: skipped, this process may make none (ip netns)');
    return rows;
  } finally {
    await server.stop();
    network?.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function phaseOf(
  phase: string,
  origin: string,
  strangers: Promise<Record<string, number>>,
): Promise<SignInRow> {
  let isOver = false;
  const over = strangers.finally(() => {
    isOver = true;
  });
  const every = async (ms: number, work: () => Promise<unknown>) => {
    const took: number[] = [];
    while (!isOver) {
      const begun = performance.now();
      await work();
      took.push(performance.now() - begun);
      await sleep(Math.max(0, ms - (performance.now() - begun)));
    }
    return took;
  };
  const [signIns, reads, statuses] = await Promise.all([
    every(SIGN_IN_EVERY_MS, () =>
      ask(`${origin}/api/v2/x/session`, { login: 'ann', password: PASSWORD }, origin),
    ),
    every(READ_EVERY_MS, () => ask(`${origin}/api/v2/suppliers`)),
    over,
  ]);
  return {
    phase,
    sign_ins: signIns.length,
    sign_in_median: Math.round(quantile(signIns, 0.5)),
    sign_in_longest: Math.round(Math.max(...signIns)),
    reads: reads.length,
    read_median: Math.round(quantile(reads, 0.5) * 100) / 100,
    read_p99: Math.round(quantile(reads, 0.99) * 100) / 100,
    strangers: statuses,
  };
}

/** Any other answer than a success ends the benchmark. @param page whose page asks; without it a program with the token does */
async function ask(url: string, body?: object, page?: string): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    ...(page === undefined ? { authorization: `Bearer ${TOKEN}` } : { origin: page }),
  };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(url, init);
  const answer = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${answer}`);
}

async function flood(prefix: readonly string[], origin: string): Promise<Record<string, number>> {
  const [program = '', ...args] = [
    ...prefix,
    process.execPath,
    FLOOD,
    origin,
    String(ATTEMPTS),
    String(AT_ONCE),
  ];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return JSON.parse(said);
}

/** A network beside this one, and how to run a program in it; undefined where this process may make none. */
function makeNetwork(): { prefix: string[]; remove: () => void } | undefined {
  const name = `hp${process.pid}`;
  const ip = (...args: string[]) => spawnSync('ip', args, { stdio: 'ignore' }).status === 0;
  const remove = () => {
    ip('link', 'del', `${name}a`);
    ip('netns', 'del', name);
  };
  const isMade =
    ip('netns', 'add', name) &&
    ip('link', 'add', `${name}a`, 'type', 'veth', 'peer', 'name', `${name}b`) &&
    ip('link', 'set', `${name}b`, 'netns', name) &&
    ip('addr', 'add', `${HERE}/30`, 'dev', `${name}a`) &&
    ip('link', 'set', `${name}a`, 'up') &&
    ip('-n', name, 'addr', 'add', `${THERE}/30`, 'dev', `${name}b`) &&
    ip('-n', name, 'link', 'set', `${name}b`, 'up');
  if (isMade) return { prefix: ['ip', 'netns', 'exec', name], remove };
  remove();
  return undefined;
}

function tell(row: SignInRow): void {
  const strangers = Object.entries(row.strangers).map(([status, count]) => `${count} × ${status}`);
  console.log(
    `  ${row.phase.padEnd(30)} sign-in ${row.sign_in_median} ms, longest ${row.sign_in_longest} ms (${row.sign_ins}); ` +
      `read ${row.read_median} ms, p99 ${row.read_p99} ms (${row.reads}); ${strangers.join(', ')}`,
  );
}
