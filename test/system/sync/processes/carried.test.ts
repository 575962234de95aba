import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { newCode } from '../../../server/enrolment/enrolled.ts';
import { environmentOf, holdpoint, startHoldpoint } from '../../../server/transfer/holdpoint.ts';
import { Station } from '../../../support/station.ts';
import { FaultProxy } from '../kit/fault-proxy.ts';
import { dataOf, faultsOf, startCentral, supplierAt, syncOf, until, untilInStep } from './installation.ts';

let central: Station;
let dock: Station;
/** The only line between the two: cut once the dock is enrolled. */
let line: FaultProxy;
let stick: string;

/** Changes that central is killed in the midst of. */
const LARGE = process.env.HOLDPOINT_SYNC === 'full' ? 3_000 : 500;
const KILLS_AFTER_MS = process.env.HOLDPOINT_SYNC === 'full' ? [50, 300, 700] : [0, 80, 200];

beforeAll(async () => {
  central = await startCentral();
  line = await FaultProxy.open({ target: central.origin, seed: 1 });
  dock = new Station();
  await dock.start();
  const code = await newCode(central, 'Dock');
  const enrolled = await holdpoint(environmentOf(dock), 'enrol', line.origin, code);
  expect(enrolled).toMatchObject({ code: 0 });
  await untilInStep(central, [dock]);
  line.stop();
  stick = mkdtempSync(join(tmpdir(), 'holdpoint-stick-'));
});
afterAll(async () => {
  await dock?.stop();
  await central?.stop();
  await line?.close();
  if (stick) rmSync(stick, { recursive: true });
});

/** Writes a file for the other side. */
async function out(from: Station, name: string): Promise<string> {
  const file = join(stick, name);
  const words = from === central ? ['--station', 'dock'] : [];
  const { code, output } = await holdpoint(environmentOf(from), 'carry', 'out', file, ...words);
  if (code !== 0) throw new Error(output);
  return file;
}

function readIn(at: Station, file: string) {
  return holdpoint(environmentOf(at), 'carry', 'in', file);
}

async function namesAt(station: Station): Promise<string[]> {
  const names: string[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await station.get('/suppliers', { per_page: 500, page });
    const rows = dataOf<{ name: string }[]>(answer);
    names.push(...rows.map(({ name }) => name));
    if (rows.length < 500) return names.sort();
  }
}

/** Each a change of its own, fifty at a time. */
async function fillSuppliers(at: Station, count: number, name: string): Promise<void> {
  for (let from = 0; from < count; from += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => supplierAt(at, `${name} ${from + index}`)));
  }
}

it('what was written on both sides of no line stands on both after a stick went there and back', async () => {
  const id = await supplierAt(dock, 'Of the dock');
  const other = await supplierAt(central, 'Of central');
  // The first file says what the dock has; its changes go with it, as central knows it already.
  const up = await out(dock, 'dock.carry');
  expect(statSync(up).mode & 0o777).toBe(0o600);
  expect(readFileSync(up).includes('Of the dock')).toBe(false);
  expect(await readIn(central, up)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/The file of the station "Dock" of .* had 1 new changes\./),
  });
  const down = await out(central, 'for-dock.carry');
  expect(await readIn(dock, down)).toMatchObject({ code: 0, output: expect.stringContaining('new changes') });
  expect(await readIn(dock, down)).toMatchObject({ code: 0, output: expect.stringContaining('nothing new') });
  for (const each of [central, dock]) {
    expect(dataOf(await each.get(`/suppliers/${id}`))).toMatchObject({ name: 'Of the dock' });
    expect(dataOf(await each.get(`/suppliers/${other}`))).toMatchObject({ name: 'Of central' });
  }
  expect(await syncOf(dock)).toMatchObject({ unsent: 0 });
});

it('says what is wrong with a file that cannot be read in, and takes nothing of it', async () => {
  await supplierAt(dock, 'Of a spoilt file');
  const file = await out(dock, 'spoilt.carry');
  const whole = readFileSync(file);
  const spoilt = Buffer.from(whole);
  spoilt[whole.length - 20] = (spoilt[whole.length - 20] ?? 0) ^ 1;
  const cases: [string, Buffer][] = [
    ['altered', spoilt],
    ['cut', whole.subarray(0, whole.length - 100)],
    ['empty', Buffer.alloc(0)],
    ['photo', Buffer.from(`\x89PNG\r\n${'x'.repeat(5_000)}`)],
  ];
  for (const [name, bytes] of cases) {
    writeFileSync(join(stick, name), bytes);
    const { code, output } = await readIn(central, join(stick, name));
    expect(code, `${name}: ${output}`).toBe(1);
    expect(output, name).not.toMatch(/\n\s+at |undefined|500/);
  }
  expect(await namesAt(central)).not.toContain('Of a spoilt file');
  // Its own, and that of another side.
  expect(await readIn(dock, file)).toMatchObject({ code: 1, output: expect.stringMatching(/central/i) });
  expect(await readIn(dock, join(stick, 'none'))).toMatchObject({ code: 1 });
  expect(await holdpoint(environmentOf(central), 'carry', 'out', join(stick, 'x'))).toMatchObject({
    output: expect.stringContaining('"Dock"'),
  });
  expect(await readIn(central, file)).toMatchObject({ code: 0 });
});

it('central killed while it reads in, and the dock while it writes, lose and double nothing', async () => {
  await fillSuppliers(dock, LARGE, 'Large');
  // A dock that goes while it writes leaves no file that looks whole.
  const writing = startHoldpoint(environmentOf(dock), 'carry', 'out', join(stick, 'killed.carry'));
  await until(
    'being written',
    async () => readdirSync(stick),
    names => names.some(name => name.startsWith('killed.carry')),
  );
  await dock.kill();
  const { code } = await writing.run;
  // It may have been quicker than the kill.
  expect(existsSync(join(stick, 'killed.carry'))).toBe(code === 0);
  await dock.start();

  const file = await out(dock, 'large.carry');
  for (const after of KILLS_AFTER_MS) {
    const reading = startHoldpoint(environmentOf(central), 'carry', 'in', file);
    await until(
      'reading',
      async () => dataOf<{ running: { done: number } | null }>(await central.get('/x/carry')).running,
      running => running !== null || reading.child.exitCode !== null,
    );
    await sleep(after);
    await central.kill();
    await reading.run;
    await central.start();
  }
  expect(await readIn(central, file)).toMatchObject({ code: 0 });
  expect(await readIn(dock, await out(central, 'back.carry'))).toMatchObject({ code: 0 });
  const names = await namesAt(central);
  expect(names.filter(name => name.startsWith('Large'))).toHaveLength(LARGE);
  expect(await namesAt(dock)).toEqual(names);
  for (const each of [central, dock]) expect(await faultsOf(each)).toEqual([]);
});

it('Ctrl-C leaves nothing, and a stick that is full is said', async context => {
  const cancelled = startHoldpoint(environmentOf(dock), 'carry', 'out', join(stick, 'cancelled.carry'));
  await sleep(300);
  cancelled.child.kill('SIGINT');
  const { code, output } = await cancelled.run;
  // Before its program has begun to listen, and once it has said what it wrote, the signal itself ends it.
  expect([130, null, 0]).toContain(code);
  const isDone = code !== 130 && output.includes(' bytes for ');
  expect(existsSync(join(stick, 'cancelled.carry'))).toBe(isDone);

  const small = join(stick, 'small');
  mkdirSync(small);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', small], { stdio: 'pipe' });
  } catch {
    return context.skip('no disk can be mounted here');
  }
  onTestFinished(() => void execFileSync('umount', ['-l', small]));
  await fillSuppliers(dock, 250, 'For a small stick');
  const full = await holdpoint(environmentOf(dock), 'carry', 'out', join(small, 'dock.carry'));
  expect(full).toMatchObject({ code: 1, output: expect.stringContaining('There is no room') });
  expect(readdirSync(small)).toEqual([]);
});

it('a line that comes back finds what the stick brought, and sends the rest alone', async () => {
  await supplierAt(dock, 'After the stick');
  line.resume();
  await untilInStep(central, [dock]);
  const names = await namesAt(central);
  expect(await namesAt(dock)).toEqual(names);
  expect(new Set(names).size).toBe(names.length);
  const compared = await holdpoint(environmentOf(dock), 'verify', '--central');
  expect(compared).toMatchObject({ code: 0 });
  for (const each of [central, dock]) expect(await faultsOf(each)).toEqual([]);
});

it('a file of a machine with another key than it signed by before is not taken, whoever names the key', async () => {
  line.stop();
  await dock.kill();
  rmSync(join(dock.folder, 'authority.key'));
  await dock.start();
  await supplierAt(dock, 'After the new key');
  const file = await out(dock, 'other-key.carry');
  const refused = await readIn(central, file);
  const [, key = ''] = /it signs with ([0-9a-f]{64})/.exec(refused.output) ?? [];
  const { output } = await holdpoint(environmentOf(dock), 'authority', 'show');
  expect(output.toLowerCase().replace(/[\s:]/g, '')).toContain(key);
  const wrong = await holdpoint(environmentOf(central), 'carry', 'in', file, '--key', 'abc');
  expect(wrong.output).toContain('64 digits');
  const named = await holdpoint(environmentOf(central), 'carry', 'in', file, '--key', key);
  for (const each of [refused, named])
    expect(each).toMatchObject({ code: 1, output: expect.stringContaining('enrol this station again') });
});
