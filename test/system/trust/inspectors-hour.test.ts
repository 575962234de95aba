import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../../server/identity/browser.ts';
import { temporaryStore } from '../../server/store/temporary-store.ts';
import { environmentOf, holdpoint } from '../../server/transfer/holdpoint.ts';
import { HOLDPOINT } from '../../support/command-line.ts';
import { HAS_FAKETIME } from '../../support/faketime.ts';
import { dataOf } from '../sync/processes/installation.ts';
import { putCommit } from '../sync/processes/odd-commit.ts';
import { Fortnight, QUINNS } from './fortnight.ts';
import { rewrittenStore } from './rewritten-store.ts';

const DOCUMENT = readFileSync('docs/inspectors-hour.md', 'utf8');
const MONTH = 30 * 86_400_000;

/** What the document has somebody do: a block of commands, where they are typed, and what is shown then. */
interface Doing {
  heading: string;
  where: string;
  commands: string;
  shown: string | undefined;
}

function doingsIn(document: string): Doing[] {
  let heading = '';
  const blocks = /^## (.+)$|^```sh\n# (.+)\n([\s\S]*?)^```$(?:\n+```text\n([\s\S]*?)^```$)?/gm;
  return [...document.matchAll(blocks)].flatMap(([, title, where, commands, shown]) => {
    heading = title ?? heading;
    return where === undefined || commands === undefined ? [] : [{ heading, where, commands, shown }];
  });
}

/** Whether what a document shows is what is shown: `…` stands for anything within a line, and on a line of its own for any lines. */
function asShown(shown: string): RegExp {
  const lines = shown
    .trimEnd()
    .split('\n')
    .map(line =>
      line === '…'
        ? '(?:.*\\n)*'
        : `${line
            .split('…')
            .map(text => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
            .join('.*')}\\n`,
    );
  return new RegExp(`^${lines.join('')}$`);
}

describe.skipIf(!HAS_FAKETIME)('the hour of an inspector', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-hour-'));
  const company = new Fortnight(join(folder, 'company'));
  /** Where the inspector has the files. */
  const desk = join(folder, 'desk');
  let altered = join(folder, 'altered');
  let key = '';
  afterAll(() => company.close());

  it('comes after a fortnight of five people at three machines, on the network and off it', async () => {
    mkdirSync(desk);
    copyFileSync('docs/verify/verify.mjs', join(desk, 'verify.mjs'));
    await company.begin('-14d');
    const central = () => company.at('central');
    const quinn = await company.hire();
    dataOf(await central().put('/x/settings', { esignature_policy: 'gxp' }));
    await company.enrol('dock', 'Dock');
    await company.enrol('lab', 'Lab');
    await company.inStep();
    const { id: part } = dataOf<{ id: number }>(await quinn.post('/parts', { name: 'Rapeseed, organic' }));
    await company.inStep();
    const receive = (serial: string) => ({
      items: [{ part_id: part, serial_number: serial, quantity_accepted: 40 }],
    });
    const olga = await company.person('olga', 'dock');
    const ivo = await company.person('ivo', 'dock');
    dataOf(await olga.post('/receiving-inspections', receive('SEED-1')));
    await company.lose();
    dataOf(await olga.post('/receiving-inspections', receive('SEED-2')));
    const wet = { ncr_number: 'NCR-2026-7', source: 'supplier', description: 'Wet at the bottom' };
    dataOf(await ivo.post('/ncrs', wet));
    company.reach();
    await company.inStep();
    const visit = await holdpoint(environmentOf(central()), 'checkpoint', join(desk, 'last-visit.json'));
    key = /key +SHA-256 ([0-9a-f]{64})/.exec(visit.output)?.[1] ?? '';
    await company.end();

    // A week later the dock's clock is set back, so that something late looks early.
    await company.begin('-7d', '-407d');
    const late = await company.person('ivo', 'dock');
    const early = { ncr_number: 'NCR-2026-8', source: 'supplier', description: 'Torn bags' };
    const { id: torn } = dataOf<{ id: number }>(await late.post('/ncrs', early));
    const lena = await company.person('lena', 'lab');
    const signed = { esignature_password: PASSWORD, esignature_reason: 'Measured.' };
    const result = { testing_id: 'T-1', batch_number: 'SEED-1', lab_data: '{"moisture": "7.1"}', ...signed };
    dataOf(await lena.post('/lab-results', result));
    await company.inStep();
    const closing = await company.person('quinn', 'lab');
    const [report] = dataOf<{ id: number }[]>(await closing.get('/ncrs?keyword=NCR-2026-7'));
    dataOf(
      await closing.patch(`/ncrs/${report?.id}`, {
        ...{ status: 'closed', reason: 'Dried, and measured again.' },
        ...{ esignature_password: QUINNS, esignature_reason: 'Dried, and measured again.' },
      }),
    );
    await company.inStep();
    await company.end();

    // At the dock somebody writes in the name of Quinn, who never was there.
    const clock = () => new Date();
    const store = await temporaryStore({ folder: company.folderOf('dock'), clock });
    const over = [store.pending.get('ncr', torn)?.creator ?? ''];
    const closed = {
      subject: `ncr:${torn}`,
      changes: [{ path: 'status', old: 'open', new: 'closed', over }],
    };
    const at = new Date(Date.now() - 8 * MONTH);
    await putCommit(store, { user: 'quinn', reason: 'Bags changed.', entries: [closed], at });
    await store.close();

    await company.begin(undefined);
    const last = await company.person('olga', 'dock');
    dataOf(await last.post('/receiving-inspections', receive('SEED-3')));
    const ada = await company.person('ada', 'central');
    dataOf(await ada.put('/x/settings', { company_name: 'Harrow Oils' }));
    await company.inStep();
    // Whoever has central's disk makes 4 of the 40 that Olga received, and all hashes right again.
    altered = rewrittenStore(company.folderOf('central'), folder, commit =>
      commit.reason === null && JSON.stringify(commit.entries).includes('"SEED-1"')
        ? { ...commit, entries: JSON.parse(JSON.stringify(commit.entries).replaceAll(':40,', ':4,')) }
        : commit,
    );
    copyFileSync(join(company.folderOf('central'), 'authority.key'), join(altered, 'authority.key'));
  });

  const environments: Record<string, () => Record<string, string>> = {
    'at central': () => environmentOf(company.at('central')),
    'at the dock': () => environmentOf(company.at('dock')),
    'at the laboratory': () => environmentOf(company.at('lab')),
    'at central, of which somebody altered the database': () => ({ HOLDPOINT_DATA: altered }),
    'on your own machine': () => ({ KEY: key }),
  };

  function typed(commands: string, env: Record<string, string>): Promise<{ output: string; code: number }> {
    const program = `holdpoint() { '${process.execPath}' '${resolve(HOLDPOINT)}' "$@"; }\n${commands}`;
    const options = { cwd: desk, env: { PATH: process.env.PATH, TZ: 'UTC', ...env } };
    return new Promise(done => {
      execFile('bash', ['--norc', '-c', program], options, (error, stdout, stderr) =>
        done({ output: `${stdout}${stderr}`, code: error === null ? 0 : Number(error.code) }),
      );
    });
  }

  it.each(
    doingsIn(DOCUMENT).map((doing, index) => [`${index + 1}. ${doing.heading}: ${doing.where}`, doing]),
  )('%s', async (_name, { where, commands, shown }) => {
    const env = environments[where];
    if (!env) throw new Error(`Nobody knows where that is: ${where}`);
    const { output, code } = await typed(commands, env());
    if (process.env.SHOW) console.log(`${where}\n${output}`);
    if (shown === undefined) expect({ code, output }).toMatchObject({ code: 0 });
    else expect(output).toMatch(asShown(shown));
  });
});
