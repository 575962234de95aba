import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Station } from '../../support/station.ts';
import { environmentOf, holdpoint, type Run, startHoldpoint } from './holdpoint.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-command-line-'));
const station = new Station();
beforeAll(() => station.start());
afterAll(async () => {
  await station.stop();
  rmSync(folder, { recursive: true });
});

const mapping = {
  source: 'command line',
  steps: [{ file: 's.csv', family: 'supplier', key: 'no', fields: { name: 'name', notes: 'notes' } }],
};
const mappingFile = join(folder, 'mapping.json');
const give = (csv: string) => {
  writeFileSync(mappingFile, JSON.stringify(mapping));
  writeFileSync(join(folder, 's.csv'), csv);
};

/** The same commands where a server runs and where none does. */
describe.each(['a running server', 'no server'])('with %s', kind => {
  const data = join(folder, 'data of its own');
  const run = (...words: string[]): Promise<Run> =>
    holdpoint(
      kind === 'no server' ? { HOLDPOINT_DATA: data, HOLDPOINT_TOKEN: '' } : environmentOf(station),
      ...words,
    );

  it('import tells what it did and what it left out', async () => {
    give('no,name,notes,fax\n1,A,=x,\n2,"B\nC",,5\n');
    const { code, stdout } = await run('import', mappingFile);
    expect(stdout).toBe(
      'Columns that the mapping leaves out ("ignore" takes them off this list):\n  s.csv: fax\nDone: 2 created, 0 updated, 0 unchanged.\n',
    );
    expect(code).toBe(0);
    const again = await run('import', mappingFile, '--folder', folder, '--dry-run');
    expect(again.stdout).toContain('A trial, nothing was written: 0 created, 0 updated, 2 unchanged.');
  });

  it('import lists each bad row, takes the good ones when told to, and ends with 1', async () => {
    const long = 'x'.repeat(10_001);
    give(`no,name,notes\n3,D,ok\n4,E,${long}\n`);
    const all = await run('import', mappingFile);
    expect(all.code).toBe(1);
    expect(all.stdout).toMatch(
      /Rows that cannot be taken:\n {2}s\.csv, line 3, notes = "x{200}": The text is too long\./,
    );
    expect(all.stdout).toContain('1 row cannot be taken, so nothing was written.');
    const good = await run('import', mappingFile, '--skip-bad');
    expect(good.code).toBe(1);
    expect(good.stdout).toContain(
      'Done: 1 created, 0 updated, 0 unchanged. 1 row cannot be taken and is left out.',
    );
  });

  it('export writes to the terminal, or to a file only when it is complete', async () => {
    const { stdout, code } = await run('export', 'suppliers', '--format', 'csv');
    expect([code, stdout.split('\r\n').length]).toEqual([0, 5]);
    expect(stdout).toContain("'=x");
    const out = join(folder, 'suppliers.jsonl');
    expect(await run('export', 'supplier', '--out', out)).toMatchObject({ code: 0, output: '' });
    expect(
      readFileSync(out, 'utf8')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).name),
    ).toEqual(['A', 'B\nC', 'D']);
    const vendor = await run('export', 'vendor', '--out', join(folder, 'vendor'));
    expect(vendor).toMatchObject({
      code: 1,
      stdout: '',
      output: expect.stringContaining('There is no family "vendor"'),
    });
    expect(readdirSync(folder).filter(name => name.startsWith('vendor'))).toEqual([]);
  });

  it('token creates, lists and revokes', async () => {
    const made = await run('token', 'create', 'label printer', '--scopes', 'write');
    expect(made.stdout).toMatch(/^hp_[\w-]{43}\n$/);
    const id = /Token (\d+) "label printer" \(read, write\)/.exec(made.output)?.[1] ?? '';
    const list = await run('token', 'list');
    expect(list.stdout).toMatch(
      new RegExp(`^${id} +label printer +read,write +\\d{4}-\\d\\d-\\d\\d HOLDPOINT_TOKEN$`, 'm'),
    );
    expect(list.stdout).not.toContain(made.stdout.trim());
    expect((await run('token', 'revoke', id)).stdout).toBe(`Token ${id} "label printer" is revoked.\n`);
    expect((await run('token', 'list')).stdout).toMatch(/label printer .* revoked \d{4}/);
    expect(await run('token', 'revoke', '999')).toMatchObject({
      code: 1,
      output: 'holdpoint: There is no token 999.\n',
    });
    const refused = await run('token', 'create', 'x', '--scopes', 'all');
    expect(refused).toMatchObject({
      code: 1,
      output: 'holdpoint: scopes: One or more of: read, write, admin.\n',
    });
  });

  it('rebuild reports', async () => {
    expect((await run('rebuild')).stdout).toMatch(/^\d+ records read in \d+\.\d s\. Nothing was wrong\.\n$/);
  });

  it('import can be cancelled, and then leaves nothing', async () => {
    give(`no,name,notes\n${Array.from({ length: 20_000 }, (_, index) => `c${index},C${index},\n`).join('')}`);
    const env = kind === 'no server' ? { HOLDPOINT_DATA: data } : environmentOf(station);
    const { child, run: running, output } = startHoldpoint(env, 'import', mappingFile);
    while (!output().includes('The rows are being written')) await sleep(20);
    child.kill('SIGINT');
    expect(await running).toMatchObject({
      code: 130,
      stdout: 'The import was cancelled. Nothing was written.\n',
    });
    expect((await run('export', 'supplier')).stdout.split('\n').length - 1).toBe(3);
  });
});

describe('what cannot be done says why', () => {
  const missing = { ...mapping, steps: [{ ...mapping.steps[0], file: 'missing.csv' }] };
  const wrong = {
    source: 'x',
    steps: [{ file: 'a', family: 'vendor', key: 'x', fields: {} }, { file: 'a' }],
  };
  const cases: [string, unknown, string[], string][] = [
    ['a mapping that is not there', null, ['import', join(folder, 'none.json')], 'none.json cannot be read'],
    ['a mapping that is not JSON', '{"a":', ['import', mappingFile], 'is not valid JSON'],
    ['a file that is not there', missing, ['import', mappingFile], 'files that are not in'],
    [
      'a mapping with several faults',
      wrong,
      ['import', mappingFile],
      'several things are wrong.\n  mapping.steps.1',
    ],
    ['an export of nothing', null, ['export'], 'Name a family'],
    ['an export of all to nowhere', null, ['export', '--all'], '--out'],
  ];
  it.each(cases)('%s', async (_, content, words, message) => {
    if (content !== null)
      writeFileSync(mappingFile, typeof content === 'string' ? content : JSON.stringify(content));
    const run = await holdpoint(environmentOf(station), ...words);
    expect(run).toMatchObject({ code: 1, stdout: '', output: expect.stringContaining(message) });
    expect(run.output).not.toMatch(/\n {4}at /);
  });

  it('a server that is not where it is looked for, or does not know the token', async () => {
    const env = environmentOf(station);
    const elsewhere = await holdpoint({ ...env, HOLDPOINT_PORT: '9' }, 'token', 'list');
    expect(elsewhere).toMatchObject({
      code: 1,
      output: expect.stringContaining('Set HOLDPOINT_HOST and HOLDPOINT_PORT'),
    });
    expect(await holdpoint({ ...env, HOLDPOINT_TOKEN: 'wrong' }, 'token', 'list')).toMatchObject({ code: 1 });
    expect(await holdpoint({ ...env, HOLDPOINT_TOKEN: '' }, 'token', 'list')).toMatchObject({ code: 0 });
  });

  it.each([
    [['--help'], 0, 'Environment:'],
    [['import', '--help'], 0, '--skip-bad'],
    [['frobnicate'], 2, "unknown command 'frobnicate'"],
    [['import'], 2, "missing required argument 'mapping'"],
    [['export', 'supplier', '--format', 'xml'], 2, 'csv, json'],
    [['token', 'create'], 2, "missing required argument 'name'"],
  ])('%j ends with %i', async (words, code, text) => {
    const run = await holdpoint({ HOLDPOINT_DATA: join(folder, 'untouched') }, ...words);
    expect(run).toMatchObject({ code, output: expect.stringContaining(text) });
    expect(readdirSync(folder)).not.toContain('untouched');
  });
});
