import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenApiDocument } from '../../server/http/openapi/openapi-document.ts';
import { type App, openApp } from '../e2e/support/app.ts';
import { pdfText } from '../server/print/pdf-text.ts';
import { importFiles, listOf } from '../server/transfer/importing.ts';
import { unfolded } from '../support/unfolded.ts';
import { copySource } from './copied-source.ts';
import { stepsIn, take } from './document-steps.ts';

const run = promisify(execFile);
const DOCUMENT = readFileSync('docs/first-change.md', 'utf8');
const RECEIPTS = '/app/records/receiving-inspection';

/** A newcomer who does what docs/first-change.md says, in a checkout of their own. */
describe('the first change', () => {
  let folder = '';
  let app: App;
  const npm = (...words: string[]) =>
    run('npm', words, {
      cwd: folder,
      shell: process.platform === 'win32',
      maxBuffer: 2 ** 26,
      env: Object.fromEntries(
        Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|TEST$|HOLDPOINT_)/.test(name)),
      ),
    });

  beforeAll(async () => {
    folder = await copySource(['electron', 'test', 'docs', 'vitest.config.ts', 'tsconfig.json']);
    for (const step of stepsIn(DOCUMENT)) await take(step, folder);
    await npm('run', 'build');
    app = await openApp({ program: join(folder, 'server', 'app', 'main.ts') });
  }, 600_000);
  afterAll(async () => {
    await app?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is in the description of the interface, as additive', async () => {
    const { body } = await app.station.get('/openapi.json');
    const { schemas } = unfolded(body as OpenApiDocument).components;
    for (const name of ['ReceivingInspection', 'ReceivingInspectionCreate', 'ReceivingInspectionUpdate']) {
      expect(schemas[name]?.properties, name).toMatchObject({
        delivery_note: { type: ['string', 'null'], 'x-extension': true },
      });
    }
  });

  it('is written by the line of the document, read and changed', async () => {
    const [line = ''] = /^curl[\s\S]*?(?=\n```)/m.exec(DOCUMENT) ?? [];
    const { station } = app;
    const command = line
      .replace('http://127.0.0.1:4870', station.origin)
      .replace('$(cat dist/data/token)', station.token);
    const { stdout } = await run('bash', ['-c', command]);
    const { data } = JSON.parse(stdout) as { data: { id: number } };
    expect(data).toMatchObject({ po_number: 'PO-1', delivery_note: 'DN-1' });
    const path = `/receiving-inspections/${data.id}`;
    expect((await station.put(path, { delivery_note: 'DN-2' })).status).toBe(200);
    expect((await station.get(path)).body).toMatchObject({ data: { delivery_note: 'DN-2' } });
  });

  it("comes with an import by the document's mapping", async () => {
    const [, mapping = ''] = /```json\n([\s\S]*?)```/.exec(DOCUMENT) ?? [];
    const files = { 'receipts.csv': 'order,note\nPO-8,DN-8\n' };
    expect(await importFiles(app.station, JSON.parse(mapping), files)).toMatchObject({ state: 'done' });
    const receipts = await listOf(app.station, '/receiving-inspections');
    expect(receipts.at(-1)).toMatchObject({ po_number: 'PO-8', delivery_note: 'DN-8' });
  });

  it.each([
    ['en', 'Delivery note', 'PO number'],
    ['de', 'Lieferschein', 'Bestellnummer'],
  ] as const)('is in the form, the list and on paper: %s', async (language, label, before) => {
    const { station } = app;
    const page = await app.open({ language });
    await page.goto(`${station.origin}${RECEIPTS}/new`);
    await page.getByLabel(before, { exact: true }).fill(`PO-${language}`);
    await page.getByLabel(label, { exact: true }).fill(`DN-${language}`);
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { level: 1, name: `PO-${language}` }).waitFor();

    await page.goto(`${station.origin}${RECEIPTS}`);
    await page.getByRole('columnheader', { name: label }).waitFor();
    await page.getByRole('cell', { name: `DN-${language}`, exact: true }).waitFor();

    const { id } = (await listOf(station, '/receiving-inspections')).at(-1) ?? {};
    const response = await station.fetch(
      `${station.origin}/api/v2/x/paper/receipt/${id}?language=${language}`,
      { headers: { authorization: `Bearer ${station.token}` } },
    );
    const [text = ''] = pdfText(new Uint8Array(await response.arrayBuffer()));
    expect(text.replaceAll('\n', ' ')).toMatch(new RegExp(`${label} .*DN-${language}`));
    expect(app.faults).toEqual([]);
  });

  it('passes the tests that the document names', async () => {
    const [, files = ''] = /^npx vitest run (.+)$/m.exec(DOCUMENT) ?? [];
    const { stdout } = await npm('exec', '--', 'vitest', 'run', ...files.split(' '));
    expect(stdout).toMatch(/Tests .*passed/);
  }, 600_000);

  it('names the step that no longer applies', async () => {
    const [step] = stepsIn(DOCUMENT.replace('after: po_number', 'after: order_number'));
    if (step === undefined) throw new Error('The document has no steps.');
    await expect(take(step, folder)).rejects.toThrow(/^1\. The field: .* has 0 lines that say: order_number/);
  });
});
