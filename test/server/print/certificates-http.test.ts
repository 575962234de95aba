import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyPackage } from '../../../server/quality/verify-package.ts';
import type { RecallPackage } from '../../../shared/operations/recall-package.ts';
import { type Answer, Station } from '../../support/station.ts';
import { Browser, dataOf, errorOf, PASSWORD } from '../identity/browser.ts';
import { importFiles } from '../transfer/importing.ts';
import { pdfText } from './pdf-text.ts';

interface Certificate {
  id: number;
  number: string;
  state: string;
  changed: string[];
  withdrawal_reason: string | null;
}

/** Certificates as clients issue, list, print and withdraw them, and the doors at which none is made. */
describe('certificates over HTTP', () => {
  const station = new Station({ isHere: true });
  let quinn: Browser;
  let ian: Browser;
  let lot = 0;
  beforeAll(async () => {
    await station.start();
    for (const [login, role] of [
      ['quinn', 'quality'],
      ['ian', 'inspector'],
    ])
      dataOf(
        await station.post('/x/users', {
          login,
          name: `Name of ${login}`,
          roles: [role],
          password: PASSWORD,
          is_password_temporary: false,
        }),
      );
    [quinn, ian] = [new Browser(station.origin), new Browser(station.origin)];
    dataOf(await quinn.signIn('quinn'));
    dataOf(await ian.signIn('ian'));
    lot = await testedLot('L-1');
  });
  afterAll(() => station.stop());

  async function testedLot(batch_number: string): Promise<number> {
    const { id: part_id } = dataOf<{ id: number }>(
      await station.post('/parts', { name: 'Oil', identification: batch_number, unit_of_measure: 'gal' }),
    );
    const { id } = dataOf<{ id: number }>(
      await station.post('/x/inventory', { part_id, batch_number, opening_quantity: 5 }),
    );
    dataOf(await station.post('/lab-results', { inventory_id: id, lab_data: '{"pH": "7.1"}' }));
    return id;
  }

  const issuing = (id = lot) => `/x/inventory/${id}/certificates`;
  const listed = async () => dataOf<Certificate[]>(await ian.get(`/x/certificates?inventory_id=${lot}`));

  async function printed(id: number): Promise<{ headers: Headers; file: Buffer }> {
    const response = await fetch(`${station.origin}/api/v2/x/certificates/${id}/paper`, {
      headers: { cookie: ian.cookie },
    });
    return { headers: response.headers, file: Buffer.from(await response.arrayBuffer()) };
  }

  it('a person of quality issues one, once for a key; everybody lists and prints it', async () => {
    const headers = { 'idempotency-key': 'issue-1' };
    const answer = await quinn.call('POST', issuing(), { body: { language: 'de' }, headers });
    const { id, number } = dataOf<Certificate>(answer);
    expect([answer.status, answer.headers.get('location')]).toEqual([201, `/api/v2/x/certificates/${id}`]);
    expect(number).toBe('COA-0-000001');
    const again = await quinn.call('POST', issuing(), { body: { language: 'de' }, headers });
    expect([dataOf<Certificate>(again).id, again.headers.get('idempotent-replayed')]).toEqual([id, 'true']);
    expect(await listed()).toMatchObject([
      { id, number, inventory_id: lot, language: 'de', issuer_name: 'Name of quinn', state: 'valid' },
    ]);
    const { headers: about, file } = await printed(id);
    expect([about.get('content-type'), about.get('content-disposition')]).toEqual([
      'application/pdf',
      'inline; filename="COA-0-000001.pdf"',
    ]);
    expect(pdfText(file).join('\n')).toMatch(/Analysenzertifikat[\s\S]*COA-0-000001[\s\S]*Name of quinn/);
    expect((await printed(id)).file.equals(file)).toBe(true);
  });

  it('what it says stays as it was issued; that the lot is another since is listed', async () => {
    const [certificate] = await listed();
    const { file } = await printed(certificate?.id ?? 0);
    dataOf(await quinn.post(`/x/inventory/${lot}/lock`, { is_locked: true, reason: 'Odd smell' }));
    expect(await listed()).toMatchObject([{ state: 'changed', changed: [`inventory:${lot}`] }]);
    expect((await printed(certificate?.id ?? 0)).file.equals(file)).toBe(true);
    expect(errorOf(await quinn.post(issuing()))).toMatchObject({
      status: 409,
      message: expect.stringMatching(/L-1 gets no certificate while it is locked/),
    });
    dataOf(await quinn.post(`/x/inventory/${lot}/lock`, { is_locked: false, reason: 'It was mine' }));
  });

  it('a person of quality withdraws it with a reason, once, and its paper says so', async () => {
    const [{ id } = { id: 0 }] = await listed();
    const path = `/x/certificates/${id}/withdraw`;
    expect(errorOf(await quinn.post(path, {}))).toMatchObject({ status: 422, fields: ['reason'] });
    expect(errorOf(await ian.post(path, { reason: 'Mixed up' })).status).toBe(403);
    expect(dataOf(await quinn.post(path, { reason: 'Mixed up' }))).toMatchObject({
      state: 'withdrawn',
      withdrawn_by: 'Name of quinn',
      withdrawal_reason: 'Mixed up',
    });
    expect(errorOf(await quinn.post(path, { reason: 'Again' })).status).toBe(409);
    expect(pdfText((await printed(id)).file)[0]).toMatch(/ZURÜCKGEZOGEN[\s\S]*Mixed up/);
  });

  it('a recall package holds it with its withdrawal, and proves itself', async () => {
    const { body } = await ian.get(`/x/recall/inventory/${lot}/package`);
    const keys = (body as RecallPackage).records.content.map(({ key }) => key);
    expect(keys).toEqual(expect.arrayContaining(['certificate:1', 'certificate-withdrawal:1']));
    expect(verifyPackage(JSON.stringify(body)).findings).toEqual([]);
  });

  it('the print of a lot that issued nothing is marked as a preview, in both languages', async () => {
    for (const [language, mark] of [
      ['en', /Not issued: preview/],
      ['de', /Nicht ausgestellt: Vorschau/],
    ] as const) {
      const response = await fetch(
        `${station.origin}/api/v2/x/paper/certificate/${lot}?language=${language}`,
        { headers: { cookie: ian.cookie } },
      );
      expect(pdfText(Buffer.from(await response.arrayBuffer()))[0]).toMatch(mark);
    }
    expect(await listed()).toHaveLength(1);
  });

  it.each<[what: string, ask: () => Promise<Answer>, status: number]>([
    ['an inspector issues none', () => ian.post(issuing()), 403],
    ['no token issues one', () => station.post(issuing(), {}), 403],
    ['no token withdraws one', () => station.post('/x/certificates/1/withdraw', { reason: 'Mine' }), 403],
    ['another language', () => quinn.post(issuing(), { language: 'fr' }), 422],
    ['no such lot', () => quinn.post(issuing(999)), 404],
    ['a lot without results', () => quinn.post(issuing(lot + 999)), 404],
    ['no such certificate to print', () => ian.get('/x/certificates/999/paper'), 404],
    [
      'no such certificate to withdraw',
      () => quinn.post('/x/certificates/999/withdraw', { reason: 'x' }),
      404,
    ],
    ['none is made beside issuing', () => quinn.post('/x/certificates', { inventory_id: lot }), 405],
    ['none is changed', () => quinn.put('/x/certificates/1', { issuer_name: 'Me' }), 405],
    ['none is made by the lot', () => quinn.put(`/inventory/${lot}`, { certificates: [{}] }), 405],
  ])('%s', async (_, ask, status) => {
    expect((await ask()).status).toBe(status);
    expect(await listed()).toHaveLength(1);
  });

  it('no mapping of an import makes one, and a row that says it was issued is only kept as imported', async () => {
    const mapping = (step: object) => ({
      source: 'elsewhere',
      steps: [{ file: 'a', family: 'certificate', ...step }],
    });
    const refused = await station.post('/x/imports', {
      mapping: mapping({ key: 'no', fields: { number: 'no' } }),
    });
    expect(JSON.stringify(refused.body)).toMatch(/not created by a mapping/);
    const exported = String((await station.get('/x/exports/certificate')).body).trim();
    const source = dataOf<{ station: string }>(await station.get('/x/records/certificate/1')).station;
    const whole = (row: object) =>
      importFiles(
        station,
        { source, steps: [{ format: 'holdpoint', file: 'a.jsonl', family: 'certificate' }] },
        { 'a.jsonl': `${JSON.stringify(row)}\n` },
      );
    const record = JSON.parse(exported);
    // Read back as it is, or with other words, it changes nothing.
    expect(await whole({ ...record, issuer_name: 'Me' })).toMatchObject({ unchanged: 1, updated: 0 });
    expect(await whole({ ...record, id: 77, number: 'COA-0-000077' })).toMatchObject({ created: 1 });
    expect(dataOf(await ian.get('/x/certificates/77'))).toMatchObject({ state: 'damaged' });
    expect(errorOf(await ian.get('/x/certificates/77/paper'))).toMatchObject({
      status: 409,
      message: expect.stringContaining('does not match its digest any more'),
    });
  });

  it('under the policy gxp it is signed, and nobody issues one without', async () => {
    const other = await testedLot('L-2');
    dataOf(await station.put('/x/settings', { esignature_policy: 'gxp' }));
    expect(errorOf(await quinn.post(issuing(other)))).toMatchObject({
      status: 422,
      fields: ['esignature_password', 'esignature_reason'],
    });
    const signature = { esignature_password: PASSWORD, esignature_reason: 'All results seen' };
    const { id } = dataOf<Certificate>(await quinn.post(issuing(other), signature));
    expect(dataOf<object[]>(await ian.get(`/x/signatures/certificate/${id}`))).toMatchObject([
      { user_name: 'Name of quinn', meaning: 'certificate', is_superseded: false, is_imported: false },
    ]);
    expect(pdfText((await printed(id)).file).join('\n')).toMatch(
      /Issue of a certificate[\s\S]*All results seen/,
    );
    dataOf(await quinn.post(`/x/certificates/${id}/withdraw`, { reason: 'Mixed up' }));
    // What was signed is the certificate, which a withdrawal does not change.
    expect(dataOf<object[]>(await ian.get(`/x/signatures/certificate/${id}`))).toMatchObject([
      { is_superseded: false },
    ]);
  });
});
