import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../server/store/sqlite/temporary-folder.ts';
import { Station } from '../../support/station.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const TOKEN = 'a-token-for-the-tests-of-processes';

interface Served {
  supervisor: ChildProcess;
  output(): string;
  /** The exit code of the supervisor, once it and its child have ended. */
  ended: Promise<number | null>;
}

/** Runs `serve`, ended with the test. */
function serve(env: Record<string, string>): Served {
  const supervisor = spawn(process.execPath, ['server/app/main.ts', 'serve'], {
    cwd: PROJECT,
    env: { ...process.env, HOLDPOINT_LOG: 'warn', HOLDPOINT_TOKEN: TOKEN, ...env },
  });
  let output = '';
  for (const stream of [supervisor.stdout, supervisor.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(supervisor, 'close').then(([code]) => code);
  // In order and to its end: the folder goes with the test.
  onTestFinished(async () => {
    supervisor.kill('SIGTERM');
    await ended;
  });
  return { supervisor, output: () => output, ended };
}

/** Waits until it says where it serves; the number of the server process and the address. */
async function ready({ output }: Served): Promise<{ origin: string; pid: number }> {
  const said = () => /serves (http:\S+)\/api\/v2 \(process (\d+)\)/.exec(output());
  await expect.poll(said).not.toBeNull();
  const [, origin = '', pid] = said() ?? [];
  return { origin, pid: Number(pid) };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('serve refuses to start, with the exit code 78,', () => {
  it('on a folder that another process uses', async () => {
    const folder = temporaryFolder();
    const first = serve({ HOLDPOINT_DATA: folder, HOLDPOINT_PORT: '0' });
    const { origin } = await ready(first);
    const second = serve({ HOLDPOINT_DATA: folder, HOLDPOINT_PORT: '0' });
    expect(await second.ended).toBe(78);
    expect(second.output()).toContain(`${folder} is in use by another Holdpoint process.`);
    expect(second.output()).toContain('set HOLDPOINT_DATA to another folder');
    expect((await fetch(`${origin}/api/v2/status`)).status).toBe(200);
  });

  it('on a port that is taken', async () => {
    const first = serve({ HOLDPOINT_DATA: temporaryFolder(), HOLDPOINT_PORT: '0' });
    const { port } = new URL((await ready(first)).origin);
    const second = serve({ HOLDPOINT_DATA: temporaryFolder(), HOLDPOINT_PORT: port });
    expect(await second.ended).toBe(78);
    expect(second.output()).toContain(`Port ${port} of 127.0.0.1 is in use by another program.`);
    expect(second.output()).toContain('Set HOLDPOINT_PORT to a free port.');
  });

  it.each([
    ['HOLDPOINT_PORT', '65536'],
    ['HOLDPOINT_LOG', 'loud'],
  ])('with the setting %s=%s', async (name, value) => {
    const refused = serve({ HOLDPOINT_DATA: temporaryFolder(), HOLDPOINT_PORT: '0', [name]: value });
    expect(await refused.ended).toBe(78);
    expect(refused.output()).toContain(`Holdpoint cannot start: ${name}="${value}" cannot be used.`);
  });
});

describe('serve', () => {
  it('ends in order on SIGTERM, and keeps what it has answered meanwhile', async () => {
    const folder = temporaryFolder();
    const served = serve({ HOLDPOINT_DATA: folder, HOLDPOINT_PORT: '0' });
    const { origin } = await ready(served);
    const create = async (name: string) => {
      const { status } = await fetch(`${origin}/api/v2/suppliers`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      });
      return { name, status };
    };
    const attempts = Array.from({ length: 60 }, (_, index) => create(`S${index}`));
    await Promise.any(attempts);
    served.supervisor.kill('SIGTERM');
    const results = await Promise.allSettled(attempts);
    expect(await served.ended).toBe(0);
    const answered = results.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []));
    for (const { status } of answered) expect([201, 503]).toContain(status);

    const station = new Station({ folder });
    await station.start();
    const { body } = await station.get('/suppliers', { per_page: 500 });
    await station.stop();
    const kept = (body as { data: { name: string }[] }).data.map(({ name }) => name);
    expect(kept).toEqual(
      expect.arrayContaining(answered.flatMap(({ name, status }) => (status === 201 ? [name] : []))),
    );
  });

  it('starts the server process again when it was killed', async () => {
    const served = serve({ HOLDPOINT_DATA: temporaryFolder(), HOLDPOINT_PORT: '0' });
    const first = await ready(served);
    process.kill(first.pid, 'SIGKILL');
    const starts = () => [...served.output().matchAll(/\(process (\d+)\)/g)].map(([, pid]) => Number(pid));
    await expect.poll(() => starts().length).toBe(2);
    expect(served.output()).toContain("Holdpoint's server ended (SIGKILL); it starts again in 200 ms.");
    served.supervisor.kill('SIGTERM');
    expect(await served.ended).toBe(0);
    expect(isRunning(starts()[1] ?? 0)).toBe(false);
  });

  it('leaves no server process behind when its supervisor is killed', async () => {
    const served = serve({ HOLDPOINT_DATA: temporaryFolder(), HOLDPOINT_PORT: '0' });
    const { pid } = await ready(served);
    served.supervisor.kill('SIGKILL');
    await served.ended;
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});
