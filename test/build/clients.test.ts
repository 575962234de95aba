import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildClient } from '../../build/client-package.ts';
import { PYTHON_CLIENT, pythonClient } from '../../build/python-client.ts';
import type { Holdpoint, HoldpointOptions } from '../../shared/client/holdpoint.ts';
import type { CallError } from '../../shared/operations/send-operation.ts';
import { closeWindows, openBrowser } from '../e2e/support/browser.ts';
import { Station } from '../support/station.ts';
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';

const run = promisify(execFile);
const PROJECT = join(import.meta.dirname, '../..');
const COMPILER = join(PROJECT, 'node_modules/typescript/bin/tsc');
const DOCUMENT = join(PROJECT, 'docs/interface/clients.md');

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-clients-'));
const built = join(folder, 'client');
const project = join(folder, 'project');
const station = new Station();
let proxy: CuttingProxy;

beforeAll(async () => {
  await Promise.all([station.start(), buildClient(built)]);
  proxy = await startCuttingProxy(station, built);
  await mkdir(project);
  const packed = await run('npm', ['pack', built, '--silent', '--pack-destination', project], {
    cwd: project,
  });
  await writeFile(join(project, 'package.json'), '{ "type": "module", "private": true }');
  const file = join(project, packed.stdout.trim());
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', file], { cwd: project });
});
afterAll(async () => {
  await closeWindows();
  await proxy.close();
  await station.stop();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  proxy.fates.length = 0;
  proxy.keys.length = 0;
});

/** The example of the document for a language, against the station. */
async function exampleOf(language: string): Promise<string> {
  const [, block = ''] = (await readFile(DOCUMENT, 'utf8')).split(`<!-- ${language} -->`);
  const [, code = ''] = /```\w+\n([\s\S]*?)```/.exec(block) ?? [];
  return code.replace('http://127.0.0.1:4870', proxy.origin);
}

const suppliers = async (name: string) => {
  const { body } = await station.get('/suppliers', { keyword: name, per_page: 500 });
  return (body as { data: { id: number; name: string }[] }).data;
};

/** Node of this version on the machine, apart from the one that the install brings. */
function nodeOf(major: string): string | undefined {
  const found = (process.env.PATH ?? '').split(delimiter).map(each => join(each, 'node'));
  const places = [process.env.HOLDPOINT_NODE_20, ...found].filter(
    each => each !== undefined && existsSync(each),
  );
  return places.find(
    each => each && execFileSync(each, ['--version'], { encoding: 'utf8' }).startsWith(`v${major}.`),
  );
}

describe('the client package', () => {
  it.each([
    ['NodeNext', 'NodeNext'],
    ['ESNext', 'Bundler'],
  ])('has the types that strict TypeScript needs (%s, %s)', async (module, resolution) => {
    const wrong = `
// @ts-expect-error An operation that needs an id.
await holdpoint.call('suppliers.read');
// @ts-expect-error An id that is none.
await holdpoint.call('suppliers.read', { params: { id: 'seven' } });
// @ts-expect-error No operation.
await holdpoint.call('suppliers.burn', {});
// @ts-expect-error A field that the family does not have.
supplier.colour;
`;
    const sample = join(project, `sample-${module.toLowerCase()}.ts`);
    await writeFile(
      sample,
      `declare const process: { env: Record<string, string> };\n${await exampleOf('typescript')}${wrong}`,
    );
    const flags = `--ignoreConfig --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noEmit --target ES2022 --lib ES2022,DOM --module ${module} --moduleResolution ${resolution}`;
    const { stdout } = await run(process.execPath, [COMPILER, ...flags.split(' '), sample], {
      cwd: project,
    }).catch((error: { stdout: string }) => error);
    expect(stdout).toBe('');
  });

  const versions = [
    { version: '20', node: nodeOf('20') },
    { version: '24', node: process.execPath },
  ];
  for (const { version, node } of versions) {
    it.skipIf(node === undefined)(`does what its document says under Node ${version}`, async () => {
      const sample = join(project, 'sample.js');
      await writeFile(sample, await exampleOf('typescript'));
      const env = { ...process.env, HOLDPOINT_TOKEN: station.token };
      const { stdout } = await run(node ?? '', [sample], { cwd: project, env });
      expect(stdout).toMatch(/Acme Ltd\n/);
      expect(stdout).toMatch(/supplier \d+ \{/);
      expect(stdout).toMatch(/\n[1-9]\d+\n$/);
    });
  }

  it('works in a page', async () => {
    const page = await (await openBrowser()).newPage();
    await page.goto(proxy.origin);
    // As text: the test's own compiler would change the import.
    const seen: { id: number; names: string[]; first: string } = await page.evaluate(`(async () => {
      const { createHoldpoint } = await import('/client/index.js');
      const holdpoint = createHoldpoint({ baseUrl: '', token: '${station.token}' });
      const { data } = await holdpoint.call('suppliers.create', { body: { name: 'From a page' } });
      const names = [];
      for await (const each of holdpoint.list('suppliers.list')) names.push(each.name);
      for await (const event of holdpoint.events()) return { id: data.id, names, first: event.event };
    })()`);
    expect(seen).toMatchObject({ id: expect.any(Number), first: 'cursor' });
    expect(seen.names).toContain('From a page');
  });
});

describe('a client', () => {
  const open = async () => {
    const { createHoldpoint } = await import(join(built, 'index.js'));
    const options: HoldpointOptions = { baseUrl: proxy.origin, token: station.token };
    return createHoldpoint(options) as Holdpoint<Used>;
  };

  it('writes once when the answer is cut off and when the server is killed in the middle', async () => {
    const holdpoint = await open();
    proxy.fates.push('cut', 'kill', 'pass');
    await holdpoint.call('suppliers.create', { body: { name: 'Once only' } });
    expect(proxy.keys).toHaveLength(3);
    expect(new Set(proxy.keys).size).toBe(1);
    expect(proxy.keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(await suppliers('Once only')).toHaveLength(1);
  });

  it('waits as Retry-After says, and no longer than it may', async () => {
    const holdpoint = await open();
    proxy.fates.push({ status: 503, retryAfter: '0' }, { status: 429, retryAfter: '0' });
    await holdpoint.call('suppliers.create', { body: { name: 'After a pause' } });
    expect(proxy.keys).toHaveLength(3);
    proxy.fates.push({ status: 429, retryAfter: '3600' });
    await expect(holdpoint.call('suppliers.create', { body: { name: 'Never' } })).rejects.toMatchObject({
      code: 'too_many_requests',
    });
    expect(proxy.keys).toHaveLength(4);
    expect(await suppliers('Never')).toEqual([]);
  });

  it('says what was wrong, at once', async () => {
    const holdpoint = await open();
    const { data, etag } = await holdpoint.call('suppliers.create', { body: { name: 'First' } });
    const params = { id: data.id };
    await holdpoint.call('suppliers.update', { params, body: { name: 'Second' } });
    const refused = holdpoint.call('suppliers.update', {
      params,
      body: { name: 'Third' },
      ifMatch: etag ?? '',
    });
    await expect(refused).rejects.toMatchObject({ code: 'stale', status: 412 });
    const faulty = await holdpoint.call('suppliers.create', { body: { name: 7 } }).then(
      () => expect.unreachable(),
      (error: CallError) => error,
    );
    expect(faulty).toMatchObject({ code: 'validation_failed', status: 422, requestId: expect.any(String) });
    expect(Object.keys(faulty.errors ?? {})).toEqual(['name']);
    expect(proxy.keys).toHaveLength(4);
    const reason = new Error('enough');
    await expect(holdpoint.call('suppliers.list', { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
  });

  it('lists each record once while others are added', async () => {
    const holdpoint = await open();
    const before = Array.from({ length: 7 }, (_, index) => `Paged ${index}`);
    for (const name of before) await station.post('/suppliers', { name });
    const names: string[] = [];
    for await (const each of holdpoint.list('suppliers.list', { query: { keyword: 'Paged', per_page: 3 } })) {
      names.push(each.name);
      if (names.length === 2) await holdpoint.call('suppliers.create', { body: { name: 'Paged late' } });
    }
    expect(names).toEqual([...before, 'Paged late']);
  });

  it('goes on with events behind the last one after a kill', async () => {
    const holdpoint = await open();
    const seen: string[] = [];
    for await (const { event, data } of holdpoint.events({ families: ['supplier'] })) {
      seen.push(event);
      if (seen.length === 1) await holdpoint.call('suppliers.create', { body: { name: 'Heard' } });
      if (event === 'change' && seen.filter(each => each === 'change').length === 1) {
        await station.kill();
        await station.start();
        await station.post('/suppliers', { name: 'Heard after' });
      } else if (event === 'change' && (await suppliers('Heard after'))[0]?.id === data.id) break;
    }
    expect(seen[0]).toBe('cursor');
    expect(seen).not.toContain('reset');
  });

  it('keeps a mirror that is equal after kills', async () => {
    const holdpoint = await open();
    const mirror = new Map<number, unknown>();
    let since = '0';
    for (let round = 0; round < 3; round += 1) {
      for (let each = 0; each < 4; each += 1)
        await station.post('/suppliers', { name: `Mirrored ${round} ${each}` });
      proxy.fates.push('kill', 'cut');
      for await (const page of holdpoint.changes({
        since,
        families: ['supplier'],
        as: 'now',
        wait: 0,
        limit: 3,
      })) {
        for (const { id, record } of page.changes) mirror.set(id, record);
        since = page.cursor;
      }
    }
    expect([...mirror.values()].sort(byId)).toEqual((await suppliers('')).sort(byId));
    expect(mirror.size).toBeGreaterThan(12);
  });
});

describe('the Python client', () => {
  const python = ['python3', 'python'].find(name => {
    try {
      return execFileSync(name, ['--version'], { encoding: 'utf8' }).startsWith('Python 3.');
    } catch {
      return false;
    }
  });
  const isSkipped = python === undefined && process.env.CI === undefined;

  it('has the table as it is: node build/python-client.ts writes it anew', async () => {
    expect(await readFile(PYTHON_CLIENT, 'utf8')).toBe(await pythonClient());
  });

  async function runPython(code: string): Promise<string> {
    const env = {
      ...process.env,
      PYTHONPATH: join(PROJECT, 'clients/python'),
      PYTHONDONTWRITEBYTECODE: '1',
      HOLDPOINT_TOKEN: station.token,
    };
    return (await run(python ?? 'python3', ['-c', code], { env })).stdout;
  }
  const begin = () => `
import os
from holdpoint import Holdpoint, HoldpointError
holdpoint = Holdpoint("${proxy.origin}", os.environ["HOLDPOINT_TOKEN"])
`;

  it.skipIf(isSkipped)('does what its document says', async () => {
    expect(await runPython(await exampleOf('python'))).toMatch(
      /Acme Ltd\n[\s\S]*\d+ \S+ False\n[\s\S]*\d+\n$/,
    );
  });

  it.skipIf(isSkipped)('writes once, waits, lists, and says what was wrong', async () => {
    proxy.fates.push('cut', 'kill', { status: 503, retryAfter: '0' });
    const text = await runPython(`${begin()}
supplier = holdpoint.call("suppliers.create", body={"name": "Once in Python"})
try:
    holdpoint.call("suppliers.create", body={"name": 7})
except HoldpointError as error:
    print(error.code, error.status, list(error.errors), error.request_id is not None)
holdpoint.call("suppliers.update", params={"id": supplier.data["id"]}, body={"name": "Once in Python."})
try:
    holdpoint.call("suppliers.update", params={"id": supplier.data["id"]}, body={"name": "X"}, if_match=supplier.etag)
except HoldpointError as error:
    print(error.code, error.status)
for place in range(5):
    holdpoint.call("suppliers.create", body={"name": "Py paged %d" % place})
print([each["name"] for each in holdpoint.list("suppliers.list", query={"keyword": "Py paged", "per_page": 2})])
`);
    expect(text.split('\n')).toEqual([
      "validation_failed 422 ['name'] True",
      'stale 412',
      "['Py paged 0', 'Py paged 1', 'Py paged 2', 'Py paged 3', 'Py paged 4']",
      '',
    ]);
    expect(new Set(proxy.keys.slice(0, 4)).size).toBe(1);
    expect(proxy.keys[0]).toBeDefined();
    expect(await suppliers('Once in Python')).toHaveLength(1);
  });

  it.skipIf(isSkipped)('keeps a mirror that is equal after kills', async () => {
    proxy.fates.push('kill', 'cut', 'kill');
    const text = await runPython(`${begin()}
import json
mirror = {}
for changes, cursor, is_reset in holdpoint.changes("0", families=["supplier"], as_="now", wait=0, limit=20):
    for change in changes:
        mirror[change["id"]] = change["record"]
print(json.dumps(sorted(mirror.values(), key=lambda record: record["id"])))
`);
    expect(proxy.fates).toEqual([]);
    expect(JSON.parse(text)).toEqual((await suppliers('')).sort(byId));
  });
});

/** What the tests call; the types of the package itself are tried by the compiler above. */
interface Used {
  'suppliers.create': Called<AnyRecord>;
  'suppliers.update': Called<AnyRecord>;
  'suppliers.list': Called<AnyRecord[]>;
  'x.changes.list': Called<{ id: number; record: unknown }[]>;
}

interface Called<Answer> {
  asked: { params?: object; query?: object; body?: unknown };
  answer: Answer;
  meta: unknown;
}

interface AnyRecord {
  id: number;
  name: string;
}

function byId(left: unknown, right: unknown): number {
  return (left as AnyRecord).id - (right as AnyRecord).id;
}
