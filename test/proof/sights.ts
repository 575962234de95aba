import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type {} from '../../renderer/desktop/bridge.ts';
import { RAW_PORTS } from '../../shared/contract/label-printers.ts';
import { printFirstRecall } from '../electron/first-recall.ts';

/** The app as a sight looks at it: packed, or on the stand-in. */
export interface Seen {
  /** The window of the screens; after its process has ended, the one that came back. */
  page(): Promise<Page>;
  nextWindow(): Promise<Page>;
  endPage(): Promise<void>;
  /** Of the main process, in bytes. */
  memory(): number;
  /** For pictures, and for what a sight needs. */
  folder: string;
  env: Record<string, string | undefined>;
}

type Sight = (seen: Seen) => Promise<void>;

/** What a job of `desktop-proof.yml` sees of a program; each throws for what is otherwise. */
export const SIGHTS = {
  'first-sign-in': firstSignIn,
  paper,
  'page-comes-back': pageComesBack,
  'crash-dump': crashDump,
  'large-import': largeImport,
  label,
  update,
  picture: async seen => takePicture(await seen.page(), seen, 'picture'),
} satisfies Record<string, Sight>;

async function firstSignIn(seen: Seen): Promise<void> {
  const page = await seen.page();
  await page.waitForURL(/\/first/);
  await page.getByRole('textbox').first().waitFor();
  await takePicture(page, seen, 'first-sign-in');
}

/** That its text can be read, a person sees in the picture. */
async function paper(seen: Seen): Promise<void> {
  const page = await seen.page();
  await page.waitForURL(/\/first/);
  const [shown] = await Promise.all([seen.nextWindow(), printFirstRecall(page)]);
  await shown.waitForURL(/^blob:/);
  await takePicture(shown, seen, 'paper');
}

async function pageComesBack(seen: Seen): Promise<void> {
  await (await seen.page()).getByRole('textbox').first().waitFor();
  await seen.endPage();
  await (await seen.page()).getByRole('textbox').first().waitFor();
}

/** Chromium's own word for it: a dump lies in the folder that a variable names. */
async function crashDump(seen: Seen): Promise<void> {
  const page = await seen.page();
  const session = await page.context().newCDPSession(page);
  // It has no answer: who would give it has ended.
  void session.send('Page.crash').catch(() => undefined);
  const folder = String(seen.env.HOLDPOINT_PROOF_CRASHES);
  await until(`a dump lies in ${folder}`, async () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).some(name => name.endsWith('.dmp')),
  );
}

/** A file on the disk, as a person chooses it; the main process may not take it whole into its memory. */
async function largeImport(seen: Seen): Promise<void> {
  const megabytes = Number(seen.env.HOLDPOINT_PROOF_MEGABYTES ?? 500);
  const path = join(seen.folder, 'large.bin');
  await using file = await open(path, 'w');
  await file.truncate(megabytes * 2 ** 20);
  const page = await seen.page();
  await page.evaluate(() => {
    document.body.append(Object.assign(document.createElement('input'), { type: 'file', id: 'large' }));
  });
  // Playwright itself would hand over a copy.
  const session = await page.context().newCDPSession(page);
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: '#large' });
  await session.send('DOM.setFileInputFiles', { files: [path], nodeId });
  const before = seen.memory();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, seen.memory());
  }, 200);
  try {
    // It is read to its end whatever becomes of it: nobody has signed in.
    await page.evaluate(async () => {
      const [chosen] = document.querySelector<HTMLInputElement>('#large')?.files ?? [];
      await fetch('/api/v2/x/import', { method: 'POST', body: chosen ?? null }).catch(() => undefined);
    });
  } finally {
    clearInterval(watch);
    most = Math.max(most, seen.memory());
  }
  const grown = Math.round((most - before) / 2 ** 20);
  assert.ok(grown < megabytes / 2, `The main process grew by ${grown} MB over ${megabytes} MB.`);
}

const LABEL = 'HOLDPOINT-LABEL';
/** One page of 100 by 50 mm; Chromium makes the table of its parts. */
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 283 142]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length 48>>stream
BT /F 24 Tf 20 60 Td (${LABEL}) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
`;

/** To a label printer in the network, which is here, and to the printer of the system that a variable names; nothing stays waiting. */
async function label(seen: Seen): Promise<void> {
  const page = await seen.page();
  const came: Buffer[] = [];
  const printer = createServer(socket => socket.on('data', part => came.push(part)));
  const port = await listenOnOne(printer);
  try {
    await page.evaluate(
      async ([at, zpl]) => {
        const content = new TextEncoder().encode(zpl);
        const job = { kind: 'network', title: 'Label', host: '127.0.0.1', port: at, content } as const;
        await window.holdpoint?.labels.print(job);
      },
      [port, `^XA^FD${LABEL}^FS^XZ`] as const,
    );
    const { HOLDPOINT_PROOF_PRINTER: name } = seen.env;
    if (name)
      await page.evaluate(
        async ([to, pdf]) => {
          const content = new TextEncoder().encode(pdf);
          const paper = { width_mm: 100, height_mm: 50 };
          await window.holdpoint?.labels.print({
            kind: 'printer',
            title: 'Label',
            printer: to,
            content,
            ...paper,
          });
        },
        [name, PDF] as const,
      );
    await until('every label came out', async () => {
      const jobs = await page.evaluate(() => window.holdpoint?.labels.jobs());
      const stuck = jobs?.find(({ state }) => state === 'failed' || state === 'asking');
      assert.equal(stuck, undefined);
      return jobs?.length === 0 && Buffer.concat(came).toString().includes(LABEL);
    });
  } finally {
    printer.close();
  }
}

async function listenOnOne(server: ReturnType<typeof createServer>): Promise<(typeof RAW_PORTS)[number]> {
  for (const port of RAW_PORTS) {
    server.listen(port, '127.0.0.1');
    const isMine = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (isMine) return port;
  }
  throw new Error(`Each of the ports ${RAW_PORTS.join(', ')} is taken.`);
}

/** What the updater says in the end is what `HOLDPOINT_PROOF_UPDATE` wants, such as `ready` or `failed not_signed`. */
async function update(seen: Seen): Promise<void> {
  const page = await seen.page();
  const wanted = seen.env.HOLDPOINT_PROOF_UPDATE ?? 'ready';
  await page.evaluate(() => window.holdpoint?.updates.look());
  await until(`updates are ${wanted}`, async () => {
    const state = (await page.evaluate(() => window.holdpoint?.updates.report()))?.state;
    const says = state?.kind === 'failed' ? `failed ${state.why}` : state?.kind;
    if (state?.kind === 'failed' && says !== wanted) assert.fail(`${says}: ${state.message}`);
    return says === wanted;
  });
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 300_000; !(await isSo()); ) {
    assert.ok(Date.now() < end, `It never was so that ${what}.`);
    await new Promise(resolve => setTimeout(resolve, 500));
  }
}

async function takePicture(page: Page, { folder }: Seen, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
