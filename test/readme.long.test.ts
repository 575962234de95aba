import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from './support/station.ts';

const run = promisify(execFile);

/** The lines that a newcomer copies must work as they stand; only the port differs here. */
describe('the first steps of the README', () => {
  const station = new Station();
  beforeAll(() => station.start());
  afterAll(() => station.stop());

  it('receive, inspect and ship a lot', async () => {
    const [, block = ''] = readFileSync('README.md', 'utf8').split('<!-- walk-through');
    const [, script = ''] = /```sh\n([\s\S]*?)```/.exec(block) ?? [];
    const lines = script.replace('http://127.0.0.1:4870', station.origin);
    const env = { ...process.env, HOLDPOINT_DATA: station.folder };
    const { stdout } = await run('bash', ['-eo', 'pipefail', '-c', lines], { env });

    const answers = stdout.split('\n').flatMap(line => (line.startsWith('{') ? [JSON.parse(line)] : []));
    expect(answers.filter(answer => answer.status !== 'success')).toEqual([]);
    const lots = answers.filter(answer => answer.data?.batch_number === 'LOT-7');
    expect(lots.map(({ data }) => [data.quantity, data.is_locked])).toEqual([
      [480, true],
      [380, false],
    ]);
    const history = answers.at(-1).data;
    expect(history.map((entry: { number: number }) => entry.number)).toHaveLength(3);
    const inspection = answers.find(answer => answer.data?.sample_size === 2 && answer.data.passed === true);
    expect(inspection?.data.is_against_measurements).not.toBe(true);
  });
});

describe('central and enrolment in docs/sync.md', () => {
  const places = { central: 4880, dock: 4881, lab: 4882 };
  const servers = {
    central: new Station({ role: 'central' }),
    dock: new Station(),
    lab: new Station(),
  };
  beforeAll(() => Promise.all(Object.values(servers).map(server => server.start())));
  afterAll(() => Promise.all(Object.values(servers).map(server => server.stop())));

  it('bring what one station writes to the other', async () => {
    const [, block = ''] = readFileSync('docs/sync.md', 'utf8').split('<!-- enrolment');
    let [, script = ''] = /```sh\n([\s\S]*?)```/.exec(block) ?? [];
    for (const [name, port] of Object.entries(places)) {
      const { folder, origin } = servers[name as keyof typeof servers];
      script = script.replaceAll(`/tmp/hp-${name}`, folder).replaceAll(String(port), new URL(origin).port);
    }
    const { stdout } = await run('bash', ['-eo', 'pipefail', '-c', script]);
    expect(stdout).toContain('This station is "Dock 2"');
    expect(stdout).toContain('This station is "Lab"');
    const answers = stdout.split('\n').flatMap(line => (line.startsWith('{') ? [JSON.parse(line)] : []));
    expect(answers).toMatchObject([{ data: { name: 'Acme' } }, { data: [{ name: 'Acme' }] }]);
    expect(stdout).toContain("are the same as central's");
    expect(stdout).toMatch(/Dock 2 .*\n.*Lab /);
  });
});
