import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { requirements } from '../../server/qualification/requirements.ts';
import type { ValidationReport, ValidationState } from '../../shared/operations/validation-operations.ts';
import { Station } from '../support/station.ts';
import { BUILT } from '../support/tested-program.ts';

/** The validation kit as it is installed: the bundle, without `node_modules`, beside a server that works on. */
const VERIFIER = join(import.meta.dirname, '../../docs/verify/verify.mjs');
const run = promisify(execFile);

const station = new Station();
const folder = mkdtempSync(join(tmpdir(), 'holdpoint-validation-'));
beforeAll(() => station.start());
afterAll(async () => {
  await station.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function state(): Promise<ValidationState> {
  return ((await station.get('/x/validation')).body as { data: ValidationState }).data;
}

it('runs to its end beside the server, which goes on, and leaves a signed report and nothing else', async () => {
  const made = await station.post('/suppliers', { name: 'Before' });
  expect(made.status).toBe(201);
  expect((await station.post('/x/validation', {})).status).toBe(201);
  const totals = new Set<number>();
  let present = await state();
  while (present.running) {
    totals.add(present.running.total);
    expect((await station.get('/suppliers')).status).toBe(200);
    await sleep(250);
    present = await state();
  }
  expect(present.failure).toBeNull();
  expect(totals).toContain(requirements.length);
  expect(existsSync(join(station.folder, 'validation-scratch'))).toBe(false);
  const [summary] = present.reports;
  const report = (await station.get(`/x/validation/${summary?.name}`)).body as ValidationReport;
  const wrong = report.requirements.filter(({ verdict }) => verdict !== 'passed');
  expect(wrong).toEqual([]);
  expect(report).toMatchObject({
    verdict: 'passed',
    by: 'HOLDPOINT_TOKEN',
    files: { count: expect.any(Number) },
  });
  const file = join(station.folder, 'validation', `${summary?.name}.json`);
  const { stdout } = await run(process.execPath, [VERIFIER, file]);
  expect(stdout).toContain(`Nothing is wrong with ${file}: ${requirements.length} requirements met`);
  const suppliers = (await station.get('/suppliers')).body as { meta: { total: number } };
  expect(suppliers.meta.total).toBe(1);
});

it('ends with 1 for a program that was altered, and names the file', async () => {
  const program = join(folder, 'server');
  cpSync(BUILT, program, { recursive: true });
  appendFileSync(join(program, 'print-thread.js'), '\n// altered\n');
  const [json, pdf] = [join(folder, 'report.json'), join(folder, 'report.pdf')];
  const asked = run(
    process.execPath,
    [join(program, 'holdpoint.js'), 'validate', '--json', json, '--pdf', pdf, '--language', 'de'],
    { env: { ...process.env, HOLDPOINT_DATA: station.folder, HOLDPOINT_PORT: new URL(station.origin).port } },
  );
  const { code, stdout } = await asked.then(
    () => ({ code: 0, stdout: '' }),
    (error: { code: number; stdout: string }) => error,
  );
  expect(code).toBe(1);
  expect(stdout).toContain('server/print-thread.js: changed');
  expect(stdout).toContain(`Nicht gültig: ${requirements.length - 1} erfüllt`);
  const report: ValidationReport = JSON.parse(readFileSync(json, 'utf8'));
  expect(report.requirements.flatMap(({ id, verdict }) => (verdict === 'passed' ? [] : [id]))).toEqual([
    'IQ-02',
  ]);
  expect(readFileSync(pdf).subarray(0, 5).toString()).toBe('%PDF-');
});
