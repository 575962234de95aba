import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../support/station.ts';

/** The files that one imports, and they in turn, before any of it runs. */
async function readAtStart(folder: string, name: string): Promise<Set<string>> {
  const names = new Set([name]);
  for (const each of names) {
    const text = await readFile(join(folder, each), 'utf8');
    for (const [, imported = ''] of text.matchAll(/^import (?:[^;"]* from )?"\.\/([^"]+)";$/gm))
      names.add(imported);
  }
  return names;
}

/** What is installed later is the bundle, so it must work where there is no node_modules and no source. */
describe('the bundled server', () => {
  let folder: string;
  let station: Station;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdpoint-bundle-'));
    await build({ configFile: 'build/vite.server.ts', logLevel: 'silent', build: { outDir: folder } });
    await writeFile(join(folder, 'package.json'), '{"type": "module"}');
    station = new Station({ program: join(folder, 'main.js') });
    await station.start();
  });
  afterAll(async () => {
    await station.stop();
    await rm(folder, { recursive: true });
  });

  it('brings everything it needs', async () => {
    expect(await readdir(folder)).toEqual(
      expect.arrayContaining(['main.js', 'holdpoint.js', 'reader-thread.js', 'print-thread.js']),
    );
    const { status, body } = await station.post('/suppliers', { name: 'Bundled' });
    expect([status, body]).toMatchObject([201, { data: { name: 'Bundled' } }]);
  });

  it('is text of one byte a character, which Node reads fastest', async () => {
    const files = (await readdir(folder)).filter(name => name.endsWith('.js'));
    for (const name of files) {
      expect([name, await readFile(join(folder, name), 'utf8')]).toEqual([
        name,
        expect.not.stringMatching(/[\u0080-\uffff]/),
      ]);
    }
  });

  it('is a few files to a start, and a small one to what starts it again', async () => {
    const server = await readAtStart(folder, 'process.js');
    expect(server.size).toBeLessThan(20);
    expect(await readAtStart(folder, 'main.js')).toEqual(new Set(['main.js', 'with-main.js']));
    const reader = await readAtStart(folder, 'reader-thread.js');
    expect([...reader].filter(name => server.has(name)).length).toBeLessThan(8);
    expect(reader).not.toContain('with-holdpoint.js');
  });

  it('names the types of what it serves', async () => {
    const typeOf = async (path: string) =>
      (await fetch(station.origin + path, { redirect: 'manual' })).headers.get('content-type');
    expect([await typeOf('/docs'), await typeOf('/docs/style.css'), await typeOf('/api/v2')]).toEqual([
      'text/html; charset=utf-8',
      'text/css; charset=utf-8',
      'application/json; charset=utf-8',
    ]);
  });

  it('is a central that makes its certificate', async () => {
    const central = new Station({
      program: join(folder, 'main.js'),
      role: 'central',
      env: { HOLDPOINT_HOST: '0.0.0.0' },
    });
    await central.start();
    try {
      expect(central.origin).toMatch(/^https:/);
      expect((await central.post('/x/enrolment-codes', { name: 'Dock' })).status).toBe(201);
    } finally {
      await central.stop();
    }
  });

  it('prints on its worker thread', async () => {
    const made = await station.post('/ncrs', { ncr_number: 'NCR-1', source: 'internal' });
    const { id } = (made.body as { data: { id: number } }).data;
    const part = await station.post('/parts', { identification: 'HB-8' });
    const { id: partId } = (part.body as { data: { id: number } }).data;
    for (const path of [`/x/paper/ncr/${id}`, `/x/labels/part/${partId}`]) {
      const { status, body } = await station.get(path);
      expect([status, String(body).slice(0, 5)]).toEqual([200, '%PDF-']);
    }
  });

  it('imports on its worker thread', async () => {
    const mapping = {
      source: 'bundle',
      files: { 'suppliers.csv': {} },
      steps: [{ file: 'suppliers.csv', family: 'supplier', key: 'id', fields: { name: 'name' } }],
    };
    const made = await station.post('/x/imports', { mapping });
    expect(made.body).toMatchObject({ status: 'success' });
    const { id } = (made.body as { data: { id: string } }).data;
    const file = await fetch(`${station.origin}/api/v2/x/imports/${id}/files/suppliers.csv`, {
      method: 'PUT',
      body: 'id,name\n1,From a file\n',
      headers: { Authorization: `Bearer ${station.token}`, 'Content-Type': 'text/csv' },
    });
    expect(file.status).toBe(200);
    await station.post(`/x/imports/${id}/run`);
    await expect
      .poll(async () => (await station.get(`/x/imports/${id}`)).body)
      .toMatchObject({ data: { state: 'done', created: 1 } });
  });
});
