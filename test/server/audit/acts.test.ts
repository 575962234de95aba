import { hash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AuditEventAnswer } from '../../../shared/operations/audit-operations.ts';
import type { Browser } from '../identity/browser.ts';
import { dataOf, errorOf } from '../identity/browser.ts';
import { ClockedStation } from '../identity/clocked-station.ts';

/** What is noted of acts that are no writes of records, at a stand-alone installation. */
const at = new ClockedStation();
let quinn: Browser;
let ncr = 0;
beforeAll(async () => {
  await at.start();
  await at.user('quinn', ['quality']);
  quinn = await at.signedIn('quinn');
  ncr = Number(dataOf(await quinn.post('/ncrs', { ncr_number: 'N-1', source: 'internal' })).id);
});
afterAll(() => at.end());

const commits = () =>
  at.station.store.database.reader.get<{ n: number }>('SELECT count(*) AS n FROM history')?.n ?? 0;
const list = async (kind: string) => dataOf<AuditEventAnswer[]>(await quinn.get(`/x/audit?kind=${kind}`));
const read = async (path: string) => {
  const response = await fetch(`${at.station.origin}/api/v2${path}`, { headers: { cookie: quinn.cookie } });
  const content = Buffer.from(await response.arrayBuffer());
  return { status: response.status, content };
};
const byQuinn = { author: 'quinn', author_name: 'Name of quinn', address: '127.0.0.1' };

it('a start that made the first token says so', async () => {
  expect(await list('token_created')).toMatchObject([{ author: null, details: { token: 'first token' } }]);
});

it('a print of controlled paper is one commit, and a packing list none', async () => {
  const before = commits();
  expect((await read(`/x/paper/ncr/${ncr}`)).status).toBe(200);
  expect(commits() - before).toBe(1);
  const printed = { ...byQuinn, subject: `ncr:${ncr}`, details: { document: 'ncr', version: 1 } };
  expect(await list('printed')).toMatchObject([printed]);
  expect((await read('/x/paper/ncr/999')).status).toBe(404);
  expect(commits() - before).toBe(1);
});

it('an export is one commit, with what was taken along; the trail’s own is one as well', async () => {
  const before = commits();
  expect((await read('/x/exports/supplier?format=csv&keyword=Acme')).status).toBe(200);
  expect(commits() - before).toBe(1);
  const { content } = await read('/x/audit/export?format=csv&kind=exported');
  expect(commits() - before).toBe(2);
  // It has its own.
  expect(content.toString().trim().split('\r\n')).toHaveLength(3);
  expect(await list('exported')).toMatchObject([
    { ...byQuinn, details: { what: 'supplier', format: 'csv', keyword: 'Acme' } },
    { ...byQuinn, details: { what: 'audit trail', format: 'csv', kind: 'exported' } },
  ]);
  expect((await read('/x/exports/audit-event')).status).toBe(404);
});

it('an import is noted before it writes and when it has ended, with its files and counts', async () => {
  const file = 'name\nAcme\nBeta\n';
  const steps = [{ family: 'supplier', file: 'suppliers.csv', key: ['name'], fields: { name: 'name' } }];
  const mapping = { source: 'ERP', files: { 'suppliers.csv': { format: 'csv' } }, steps };
  const made = dataOf(await at.call('POST', '/x/imports', { mapping }));
  const headers = { authorization: `Bearer ${at.token}`, 'content-type': 'text/csv' };
  const put = `${at.station.origin}/api/v2/x/imports/${made.id}/files/suppliers.csv`;
  expect((await fetch(put, { method: 'PUT', headers, body: file })).status).toBe(200);
  dataOf(await at.call('POST', `/x/imports/${made.id}/run`));
  await expect.poll(async () => (await list('imported')).length).toBe(1);
  const files = [`suppliers.csv: 15 bytes, SHA-256 ${hash('sha256', file)}`];
  const began = { author: 'HOLDPOINT_TOKEN', details: { import: made.id, files } };
  expect(await list('import_started,imported')).toMatchObject([
    { kind: 'import_started', ...began },
    { kind: 'imported', details: { ...began.details, state: 'done', created: 2, bad: 0 } },
  ]);
});

it('a backup, a rebuild and a package are noted with who asked for them', async () => {
  const { file } = dataOf(await at.call('POST', '/x/backups'));
  await expect
    .poll(() => list('backup_made'))
    .toMatchObject([{ author: 'HOLDPOINT_TOKEN', details: { file } }]);
  dataOf(await at.call('POST', '/x/rebuild'));
  expect(await list('rebuilt')).toMatchObject([{ author: 'HOLDPOINT_TOKEN', details: { differences: 0 } }]);
  const part = dataOf(await at.call('POST', '/parts', { name: 'Jar', identification: 'J-1' }));
  expect((await read(`/x/recall/parts/${part.id}/package`)).status).toBe(200);
  expect(await list('downloaded')).toMatchObject([{ ...byQuinn, subject: `part:${part.id}` }]);
});

it('each step of the clock and its end are noted once, dated by what it should say', async () => {
  at.set(-400 * 24 * 60);
  const standing = at.station.store.clockWatch.standing();
  expect(standing).not.toBeNull();
  quinn = await at.signedIn('quinn');
  await expect.poll(async () => (await list('clock_stepped')).length).toBe(1);
  const step = dataOf<{ standing: { step: number } }>(await quinn.get('/x/clock')).standing.step;
  dataOf(await quinn.post('/x/clock/confirm', { step, reason: 'It was a year ahead.' }));
  expect(await list('clock_stepped,clock_believed')).toMatchObject([
    {
      kind: 'clock_stepped',
      at: expect.stringMatching(/^2026-/),
      details: { clock: expect.stringMatching(/^2025-/) },
    },
    {
      kind: 'clock_believed',
      author: 'quinn',
      details: { how: 'confirmed', reason: 'It was a year ahead.' },
    },
  ]);
  await at.stop();
  await at.start();
  quinn = await at.signedIn('quinn');
  expect(await list('clock_stepped,clock_believed')).toHaveLength(2);
});

it('codes and stations are a central’s to note', async () => {
  const central = new ClockedStation();
  await at.stop();
  await central.start('central');
  try {
    const code = dataOf(await central.call('POST', '/x/enrolment-codes', { name: 'Hall 3', hours: 2 }));
    dataOf(await central.call('POST', `/x/enrolment-codes/${code.id}/revoke`));
    const { status } = await central.call('POST', '/x/enrolment-codes', { name: 'Hall 3', hours: 0 });
    expect(status).toBe(422);
    const events = dataOf<AuditEventAnswer[]>(
      await central.call('GET', '/x/audit?kind=code_created,code_revoked'),
    );
    expect(events).toMatchObject([
      { kind: 'code_created', author: 'HOLDPOINT_TOKEN', details: { name: 'Hall 3', hours: 2 } },
      { kind: 'code_revoked', details: { name: 'Hall 3' } },
    ]);
    expect(JSON.stringify(events)).not.toContain(String(code.code));
    const guess = { code: String(code.code).replace(/^./, 'Z') };
    expect(errorOf(await central.call('POST', '/x/enrolment', guess)).status).toBeGreaterThanOrEqual(400);
  } finally {
    await central.end();
    await at.start();
  }
});
