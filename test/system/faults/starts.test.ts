import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { verifyDependencies } from '../../../server/backup/verify-dependencies.ts';
import { verify } from '../../../server/store/verify/verify.ts';
import { temporaryFolder } from '../../server/store/sqlite/temporary-folder.ts';
import { tell } from './expect-sound.ts';
import { type PlantedFault, planted } from './plant-fault.ts';
import { sizeOf } from './size.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const rounds = sizeOf(1, 5);
const STARTS = 20;
/** Of twenty processes that start beside each other; a busy machine takes its time. */
const LIMIT_MS = 600_000;
const SERVES = /serves (http:\S+)\/api\/v2/;

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
  rounds.count * 300_000,
);

it('would see servers that take no lock', { timeout: LIMIT_MS }, async () => {
  await expect(startAll(3, 'takes no lock')).rejects.toThrow(/servers at once/);
});

async function startAll(count = STARTS, fault?: PlantedFault): Promise<void> {
  const folder = temporaryFolder();
  const starts = Array.from({ length: count }, () => start(folder, fault));
  const ended = starts.map(({ process }) => once(process, 'close'));
  try {
    const serving = () => starts.filter(({ output, code }) => code === undefined && SERVES.test(output));
    const isDecided = () =>
      serving().length > 1 || starts.filter(({ code }) => code !== undefined).length >= count - 1;
    await expect.poll(isDecided, { timeout: LIMIT_MS }).toBe(true);
    expect(serving().length, 'servers at once').toBeLessThan(2);
    const [running, ...others] = starts.filter(({ code }) => code === undefined);
    expect(others).toEqual([]);
    await expect.poll(() => running?.output, { timeout: LIMIT_MS }).toMatch(SERVES);
    const origin = SERVES.exec(running?.output ?? '')?.[1];
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
  const { findings, commits } = await verify(folder, { ...verifyDependencies });
  tell(`${count} starts: 1 ran, ${count - 1} ended with 78; ${commits} commit in the file`);
  expect([findings, commits]).toEqual([[], 2]);
}

function start(folder: string, fault: PlantedFault | undefined): Start {
  const process_ = spawn(process.execPath, ['server/app/main.ts', 'serve'], {
    cwd: PROJECT,
    env: {
      ...process.env,
      NODE_ENV: undefined,
      ...planted({ fault }),
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
