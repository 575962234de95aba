import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { proof } from '../../server/proof.ts';
import { verify } from '../../server/store/verify.ts';
import { temporaryFolder } from '../store/sqlite/temporary-folder.ts';
import { tell } from './expect-sound.ts';
import { sizeOf } from './size.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const rounds = sizeOf(1, 5);
const STARTS = 20;

interface Start {
  process: ChildProcess;
  output: string;
  code: number | null | undefined;
}

it(
  `runs one of ${STARTS} that start at once on a folder, and the others say why not (rounds: ${rounds.name})`,
  async () => {
    for (let round = 0; round < rounds.count; round += 1) await startAll();
  },
  rounds.count * 120_000,
);

async function startAll(): Promise<void> {
  const folder = temporaryFolder();
  const starts = Array.from({ length: STARTS }, () => start(folder));
  const ended = starts.map(({ process }) => once(process, 'close'));
  try {
    await expect
      .poll(() => starts.filter(({ code }) => code !== undefined).length, { timeout: 90_000 })
      .toBe(STARTS - 1);
    const [running, ...others] = starts.filter(({ code }) => code === undefined);
    expect(others).toEqual([]);
    await expect.poll(() => running?.output, { timeout: 20_000 }).toMatch(/serves (http:\S+)\/api\/v2/);
    const origin = /serves (http:\S+)\/api\/v2/.exec(running?.output ?? '')?.[1];
    expect((await fetch(`${origin}/api/v2/status`)).status).toBe(200);
    for (const refused of starts.filter(other => other !== running)) {
      expect(refused.code, refused.output).toBe(78);
      expect(refused.output).toContain(`${folder} is in use by another Holdpoint process.`);
    }
    running?.process.kill('SIGTERM');
    await Promise.all(ended);
    expect(running?.code).toBe(0);
  } finally {
    for (const { process } of starts) process.kill('SIGKILL');
    await Promise.all(ended);
  }
  const { findings, commits } = await verify(folder, { ...proof });
  tell(`${STARTS} starts: 1 ran, ${STARTS - 1} ended with 78; ${commits} commit in the file`);
  expect([findings, commits]).toEqual([[], 1]);
}

function start(folder: string): Start {
  const process_ = spawn(process.execPath, ['server/main.ts', 'serve'], {
    cwd: PROJECT,
    env: {
      ...process.env,
      NODE_ENV: undefined,
      HOLDPOINT_LOG: 'warn',
      HOLDPOINT_TOKEN: 'a-token-for-the-tests-of-starts',
      HOLDPOINT_DATA: folder,
      HOLDPOINT_PORT: '0',
    },
  });
  const started: Start = { process: process_, output: '', code: undefined };
  for (const stream of [process_.stdout, process_.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      started.output += text;
    });
  }
  process_.once('close', code => {
    started.code = code;
  });
  return started;
}
