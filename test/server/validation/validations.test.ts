import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openAuthority } from '../../../server/trust/authority-key.ts';
import { type Found, isReportSigned, signReport } from '../../../server/validation/report.ts';
import { reportFolder } from '../../../server/validation/report-folder.ts';
import type { AuditEventAnswer } from '../../../shared/operations/audit-operations.ts';
import type { TriedRequirement, ValidationState } from '../../../shared/operations/validation-operations.ts';
import { type Browser, dataOf, errorOf } from '../identity/browser.ts';
import { ClockedStation } from '../identity/clocked-station.ts';

/** Beginning and cancelling a validation, and its reports. That one runs to its end, `test/build/validation.test.ts` sees. */
const at = new ClockedStation();
let quinn: Browser;
beforeAll(async () => {
  await at.start();
  await at.user('quinn', ['quality']);
  await at.user('ines', ['inspector']);
  quinn = await at.signedIn('quinn');
});
afterAll(() => at.end());

const stateOf = async () => dataOf<ValidationState>(await quinn.get('/x/validation'));
const events = async () =>
  dataOf<AuditEventAnswer[]>(
    await quinn.get('/x/audit?kind=validation_started,validated,printed,downloaded'),
  );

const tried = (id: string, verdict: TriedRequirement['verdict']): TriedRequirement => ({
  id,
  topic: 'records',
  requirement: { en: 'It holds.', de: 'Es hält.' },
  references: ['21 CFR 11.10(a)'],
  check: { en: 'It is tried.', de: 'Es wird geprüft.' },
  steps: [{ done: { en: 'Tried', de: 'Geprüft' }, expected: 'true', seen: 'true', is_right: true }],
  verdict,
  note: null,
  seconds: 0.1,
});
const found = (began_at: string, requirements: TriedRequirement[]): Found => ({
  installation: 'here',
  company: 'Ours',
  version: '0.2.0',
  machine: { name: 'dock', system: 'Linux', runtime: 'Node.js', sqlite: '3', data: '/data' },
  files: null,
  began_at,
  ended_at: began_at,
  requirements,
});

it('is for quality and administrators, one at a time', async () => {
  const ines = await at.signedIn('ines');
  expect([(await ines.get('/x/validation')).status, (await ines.post('/x/validation')).status]).toEqual([
    403, 403,
  ]);
  expect(errorOf(await quinn.post('/x/validation/cancel')).status).toBe(409);
  const begun = dataOf<ValidationState>(await quinn.post('/x/validation'));
  expect(begun.running).toMatchObject({ by: 'quinn', done: 0 });
  expect(errorOf(await at.call('POST', '/x/validation')).status).toBe(409);
});

it('is cancelled with nothing left, said in the trail, and can be begun again', async () => {
  const scratch = join(at.folder, 'validation-scratch');
  await expect.poll(() => existsSync(scratch)).toBe(true);
  const after = dataOf<ValidationState>(await quinn.post('/x/validation/cancel'));
  expect(after).toEqual({ running: null, failure: 'The validation was cancelled.', reports: [] });
  expect(existsSync(scratch)).toBe(false);
  expect(await events()).toMatchObject([
    { kind: 'validation_started', author: 'quinn', address: '127.0.0.1' },
    { kind: 'validated', author: 'quinn', details: { state: 'cancelled' } },
  ]);
  dataOf(await at.call('POST', '/x/validation'));
  expect(await stateOf()).toMatchObject({ running: { by: 'HOLDPOINT_TOKEN' }, failure: null });
});

it('ends with its server, and what a former one left is removed', async () => {
  await at.stop();
  expect(readdirSync(at.folder)).not.toContain('validation-scratch');
  await at.start();
  quinn = await at.signedIn('quinn');
  expect(await stateOf()).toEqual({ running: null, failure: null, reports: [] });
});

it('has its reports as they were signed, newest first, as file and as paper, in the trail', async () => {
  const authority = openAuthority(at.folder);
  const folder = reportFolder(at.folder);
  const good = signReport(authority, found('2026-06-01T08:00:00.000Z', [tried('A-1', 'passed')]), 'quinn');
  const bad = signReport(
    authority,
    found('2026-06-02T08:00:00.000Z', [tried('A-1', 'passed'), tried('A-2', 'failed')]),
    'quinn',
  );
  const nothing = signReport(
    authority,
    found('2026-06-03T08:00:00.000Z', [tried('A-1', 'not_tried')]),
    'quinn',
  );
  expect([good, bad, nothing].map(({ verdict }) => verdict)).toEqual(['passed', 'failed', 'failed']);
  expect([good, { ...good, verdict: 'failed' as const }].map(isReportSigned)).toEqual([true, false]);
  const { name, sha256 } = await folder.add(good);
  const { name: other } = await folder.add(bad);
  expect((await stateOf()).reports.map(report => [report.name, report.verdict])).toEqual([
    [other, 'failed'],
    [name, 'passed'],
  ]);
  expect((await quinn.get(`/x/validation/${name}`)).body).toEqual(good);
  expect(statSync(join(at.folder, 'validation', `${name}.json`)).mode & 0o777).toBe(0o600);
  const response = await fetch(`${at.station.origin}/api/v2/x/validation/${name}/paper?language=de`, {
    headers: { cookie: quinn.cookie },
  });
  expect(
    Buffer.from(await response.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');
  expect((await events()).slice(-2)).toMatchObject([
    { kind: 'downloaded', author: 'quinn', details: { what: 'validation report', report: name, sha256 } },
    { kind: 'printed', author: 'quinn', details: { document: 'validation report', report: name, sha256 } },
  ]);
});

it('lists and gives no report that was altered since, and a name that is none', async () => {
  const path = join(at.folder, 'validation', 'validation-20260602T080000000Z.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"verdict": "failed"', '"verdict": "passed"'));
  expect((await stateOf()).reports.map(({ verdict }) => verdict)).toEqual(['passed']);
  const refused = errorOf(await quinn.get('/x/validation/validation-20260602T080000000Z'));
  expect(refused).toMatchObject({ status: 503, message: expect.stringContaining('was altered') });
  for (const name of ['nothing', 'validation-20260602T080000000Z.json'])
    expect((await quinn.get(`/x/validation/${name}`)).status).toBe(404);
});
