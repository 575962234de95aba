import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Browser, dataOf, errorOf, PASSWORD } from './browser.ts';
import { ClockedStation } from './clocked-station.ts';

interface Signature {
  user_id: number;
  user_name: string;
  meaning: string;
  reason: string | null;
  version: number;
  state: string;
  is_superseded: boolean;
}

const at = new ClockedStation();
let quinn: Browser;
let user = 0;
beforeAll(async () => {
  await at.start();
  user = await at.user('quinn', ['quality']);
  quinn = await at.signedIn('quinn');
});
afterAll(() => at.end());

const report = async (): Promise<string> => {
  const number = `NCR-${Math.random()}`;
  const made = await quinn.post('/ncrs', { ncr_number: number, source: 'internal' });
  return `/ncrs/${(made.body as { meta: { id: number } }).meta.id}`;
};
const ask = (settings: object) => at.call('PUT', '/x/settings', settings);
const signaturesOf = async (path: string) => dataOf<Signature[]>(await quinn.get(`/x/signatures${path}`));
const esignature = { esignature_password: PASSWORD };

it('is not asked for unless the setting says so', async () => {
  const path = await report();
  dataOf(await quinn.put(path, { lot_number: 'L-1', esignature_password: 'anything' }));
  dataOf(await at.call('PATCH', path, { lot_number: 'L-2' }));
  expect(await signaturesOf(path)).toEqual([]);
});

it('needs the password of the user, on that field', async () => {
  const path = await report();
  dataOf(await ask({ is_esignature_required: true }));
  for (const body of [{}, { esignature_password: '' }, { esignature_password: 'wrong one' }]) {
    for (const method of ['PUT', 'PATCH']) {
      const refused = await quinn.call(method, path, { body: { lot_number: 'L-3', ...body } });
      expect(errorOf(refused)).toMatchObject({ status: 422, fields: ['esignature_password'] });
    }
  }
  const byProgram = errorOf(await at.call('PUT', path, { lot_number: 'L-3', ...esignature }));
  expect(byProgram).toMatchObject({ status: 422, fields: ['esignature_password'] });
  expect(byProgram.message).toContain('session');
  expect(dataOf(await quinn.get(path))).toMatchObject({ lot_number: null });
  expect((await quinn.put('/ncrs/999999', {})).status).toBe(404);

  const signed = await quinn.put(path, { lot_number: 'L-3', ...esignature });
  expect(dataOf(signed)).toMatchObject({ lot_number: 'L-3' });
  expect((signed.body as { meta: object }).meta).not.toHaveProperty('ignored');
  dataOf(await ask({ is_esignature_required: false }));
});

it('is bound to the version, says what it means, and is superseded by any later change', async () => {
  const path = await report();
  dataOf(await ask({ is_esignature_required: true, is_esignature_reason_required: true }));
  const without = await quinn.put(path, { lot_number: 'L-4', ...esignature });
  expect(errorOf(without)).toMatchObject({ status: 422, fields: ['esignature_reason'] });
  const neither = await quinn.put(path, { lot_number: 'L-4' });
  expect(errorOf(neither).fields.toSorted()).toEqual(['esignature_password', 'esignature_reason']);

  const reason = { esignature_reason: 'Checked at the dock.' };
  const signed = await quinn.put(path, { lot_number: 'L-4', ...esignature, ...reason });
  dataOf(signed);
  const whole = dataOf(await quinn.get(`/x/records${path}`));
  expect(await signaturesOf(path)).toMatchObject([
    {
      user_id: user,
      user_name: 'Name of quinn',
      meaning: 'change',
      reason: 'Checked at the dock.',
      version: whole.version,
      state: whole.state,
      is_superseded: false,
    },
  ]);

  // The signature and what it signs are one commit.
  const history = dataOf<{ commit: string; reason: string }[]>(await quinn.get(`/x/history${path}`));
  expect(history.at(-1)?.reason).toBe('Checked at the dock.');

  dataOf(await quinn.put(path, { status: 'closed', reason: 'Done.', ...esignature, ...reason }));
  expect((await signaturesOf(path)).map(each => [each.meaning, each.is_superseded])).toEqual([
    ['change', true],
    ['closing', false],
  ]);
  dataOf(await ask({ is_esignature_required: false, is_esignature_reason_required: false }));
  dataOf(await quinn.patch(path, { lot_number: 'L-5', reason: 'Misread.' }));
  expect((await signaturesOf(path)).map(each => each.is_superseded)).toEqual([true, true]);
});

it('replays an answer without the password, and makes one signature', async () => {
  const path = await report();
  dataOf(await ask({ is_esignature_required: true }));
  const body = { lot_number: 'L-6', ...esignature };
  const headers = { 'idempotency-key': 'sign-once' };
  const first = await quinn.call('PUT', path, { body, headers });
  const second = await quinn.call('PUT', path, { body, headers });
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(await signaturesOf(path)).toHaveLength(1);
});

it('is asked for when a report is created with a decision, and not when it only reports', async () => {
  dataOf(await ask({ is_esignature_required: true, is_esignature_reason_required: true }));
  const reported = { ncr_number: 'NCR-reported', source: 'internal', status: 'open' };
  const made = await quinn.post('/ncrs', reported);
  dataOf(made);
  const decided = { ...reported, ncr_number: 'NCR-decided', reason: 'Agreed.' };
  for (const decision of [{ status: 'closed' }, { status: 'in_review' }, { disposition: 'scrap' }]) {
    const refused = errorOf(await quinn.post('/ncrs', { ...decided, ...decision }));
    expect(refused.fields.toSorted()).toEqual(['esignature_password', 'esignature_reason']);
    const byProgram = { ...decided, ...decision, ...esignature, esignature_reason: 'Agreed.' };
    expect(errorOf(await at.call('POST', '/ncrs', byProgram)).fields).toEqual(['esignature_password']);
  }
  const body = { ...decided, status: 'closed', ...esignature, esignature_reason: 'Checked.' };
  const signed = await quinn.post('/ncrs', body);
  expect(dataOf(signed)).not.toHaveProperty('esignature_password');
  const { id } = (signed.body as { meta: { id: number } }).meta;
  expect(await signaturesOf(`/ncrs/${id}`)).toMatchObject([
    { user_id: user, meaning: 'closing', reason: 'Checked.', version: 1, is_superseded: false },
  ]);
  const { id: unsigned } = (made.body as { meta: { id: number } }).meta;
  expect(await signaturesOf(`/ncrs/${unsigned}`)).toEqual([]);
  dataOf(await ask({ is_esignature_required: false, is_esignature_reason_required: false }));
});

it('who may only report decides nothing by reporting', async () => {
  await at.user('olaf', ['operator']);
  await at.user('ines', ['inspector']);
  const body = { source: 'internal', reason: 'By the way.' };
  for (const login of ['olaf', 'ines']) {
    const browser = await at.signedIn(login);
    for (const decision of [{ disposition: 'use-as-is' }, { status: 'closed' }, { status: 'in_review' }]) {
      const refused = errorOf(await browser.post('/ncrs', { ...body, ncr_number: 'N', ...decision }));
      expect(refused).toMatchObject({ status: 403, message: expect.stringContaining('role quality') });
    }
    for (const report of [{}, { status: 'open', disposition: null }]) {
      const ncr_number = `NCR-${login}-${Object.keys(report).length}`;
      dataOf(await browser.post('/ncrs', { ...body, ncr_number, ...report }));
    }
  }
  dataOf(await quinn.post('/ncrs', { ...body, ncr_number: 'NCR-quality', disposition: 'use-as-is' }));
});

it('is asked for kind by kind, and what says so is changed by a signature', async () => {
  const root = await administrator();
  const closing = { is_signed: true, needs_reason: false, needs_second_person: false };
  dataOf(await ask({ esignature_deviations: { closing } }));
  const path = await report();
  dataOf(await quinn.put(path, { lot_number: 'L-9' }));
  const refused = await quinn.put(path, { status: 'closed' });
  expect(errorOf(refused)).toMatchObject({ status: 422, fields: ['esignature_password'] });
  dataOf(await quinn.put(path, { status: 'closed', ...esignature }));
  expect(await signaturesOf(path)).toMatchObject([{ meaning: 'closing', reason: null }]);

  // What was read and is sent back changes nothing, and needs no signature.
  const { body, headers } = await root.get('/x/settings');
  const again = await root.put('/x/settings', (body as { data: object }).data);
  expect([again.status, again.headers.get('etag')]).toEqual([200, headers.get('etag')]);
  dataOf(await root.put('/x/settings', { expiry_soon_days: 20 }));
  const off = { esignature_deviations: null };
  expect(errorOf(await ask(off))).toMatchObject({
    status: 422,
    fields: expect.arrayContaining(['esignature_password']),
  });
  expect(errorOf(await root.put('/x/settings', off)).fields).toEqual([
    'esignature_password',
    'esignature_reason',
  ]);
  const signed = await root.put('/x/settings', { ...off, ...esignature, esignature_reason: 'As before.' });
  expect(dataOf(signed)).toMatchObject({ esignature_deviations: {} });
});

async function administrator(): Promise<Browser> {
  await at.user('root', ['administrator']);
  return at.signedIn('root');
}
