import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GUIDE_TEXTS, guideTexts } from '../../build/guides.ts';
import { guideTexts as served } from '../../server/http/openapi/guide-texts.ts';
import type { Family } from '../../shared/contract/define-family.ts';
import { families } from '../../shared/families/registry.ts';
import { Receiver } from '../server/webhooks/receiver.ts';
import { Station } from '../support/station.ts';

/** Every example of every guide, in the order of the guides, on one fresh installation. Those in TypeScript and Python: `test/build/clients.test.ts`. */

const run = promisify(execFile);
const HAS_SHELL =
  ['/bin/bash', '/usr/bin/bash'].some(existsSync) && ['/bin/curl', '/usr/bin/curl'].some(existsSync);

interface Block {
  language: string;
  text: string;
}

function blocksOf(name: string): Block[] {
  const guide = served.find(each => each.name === name)?.text ?? '';
  return [...guide.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
}

const station = new Station();
/** Of whoever reads the guides: with the data folder where they say that it is. */
const home = mkdtempSync(join(tmpdir(), 'holdpoint-guides-'));
beforeAll(async () => {
  await station.start();
  await mkdir(join(home, 'holdpoint'));
  await writeFile(join(home, 'holdpoint/token'), station.token);
});
afterAll(async () => {
  await station.stop();
  await rm(home, { recursive: true });
});

const fromHere = (text: string) => text.replaceAll('http://127.0.0.1:4870', station.origin);

async function shell(text: string): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: home, BASE: `${station.origin}/api/v2`, TOKEN: station.token };
  return (await run('bash', ['-euo', 'pipefail', '-c', fromHere(text)], { env })).stdout;
}

/** What stands in the guide is in the answer; lists have the same length. */
function contained(wanted: unknown): unknown {
  if (Array.isArray(wanted)) return wanted.map(contained);
  if (typeof wanted !== 'object' || wanted === null) return wanted;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, contained(value)])),
  );
}

/** Guides whose blocks are commands and what they answer. */
const BY_COMMANDS = ['first-five-minutes', 'connector', 'errors', 'times', 'quantities', 'versions'];

describe('the guides', () => {
  it('are served as they stand in docs/interface: node build/guides.ts writes them anew', async () => {
    expect(await readFile(GUIDE_TEXTS, 'utf8')).toBe(await guideTexts());
  });

  it.each(served.map(({ name }) => name))('%s has a page, and what it links to is there', async name => {
    const response = await fetch(`${station.origin}/docs/guide-${name}`);
    expect(response.status).toBe(200);
    const page = await response.text();
    const main = /<main[\s\S]*$/.exec(page)?.[0] ?? '';
    for (const [, href = ''] of main.matchAll(/href="(\/docs[^"]*|#[^"]*)"/g)) {
      const [path = '', anchor] = href.split('#');
      const target = path === '' ? page : await (await fetch(station.origin + path)).text();
      expect(target, href).not.toContain('"not_found"');
      if (anchor !== undefined) expect(target, href).toContain(`id="${anchor}"`);
    }
  });

  it('all are run: by their commands, by a test of their own below, or with the clients', () => {
    const own = ['webhooks', 'lists', 'clients'];
    expect(served.map(({ name }) => name).toSorted()).toEqual([...BY_COMMANDS, ...own].toSorted());
  });

  it.skipIf(!HAS_SHELL).each(BY_COMMANDS)('%s: its commands answer what it says', async name => {
    const blocks = blocksOf(name);
    expect(blocks.filter(({ language }) => language === 'sh').length).toBeGreaterThan(0);
    let printed: string | undefined;
    for (const { language, text } of blocks) {
      if (language === 'sh') {
        printed = await shell(text);
        if (printed.startsWith('{') && !/^\{"status":"error"/.test(printed))
          expect(printed, text).toContain('"status":"success"');
      } else if (language === 'json')
        expect(JSON.parse(printed ?? ''), text).toEqual(contained(JSON.parse(text)));
      else if (language === 'text') expect(printed).toBe(text);
      else expect.unreachable(`A block of ${name} is in no language that is run: ${text}`);
    }
  });

  it('lists: each request is answered, and each field that it names is there', async () => {
    const requests = blocksOf('lists').flatMap(({ text }) => text.trim().split('\n'));
    expect(requests.length).toBeGreaterThan(9);
    for (const request of requests) {
      const path = request.replace(/^GET /, '');
      const response = await fetch(`${station.origin}/api/v2${path}`, {
        headers: { Authorization: `Bearer ${station.token}`, Prefer: 'handling=strict' },
      });
      expect(response.status, `${request} ${await response.text()}`).toBe(200);
    }
  });

  it.skipIf(!HAS_SHELL)(
    'webhooks: the command makes one, and a message has what the guide shows',
    async () => {
      const receiver = await new Receiver().open();
      try {
        const [command, message] = blocksOf('webhooks');
        const made = JSON.parse(
          await shell(command?.text.replace('http://127.0.0.1:8080/', receiver.url) ?? ''),
        );
        expect(made).toMatchObject({ status: 'success', data: { secret: expect.stringMatching(/^whsec_/) } });
        await station.post('/suppliers', { name: 'Told' });
        const [told] = await receiver.take(1, 'supplier.created');
        const shown = JSON.parse(message?.text ?? '') as { data: object };
        expect(Object.keys(told?.body ?? {}).sort()).toEqual(Object.keys(shown).sort());
        expect(Object.keys(told?.body.data ?? {}).sort()).toEqual(Object.keys(shown.data).sort());
      } finally {
        await receiver.close();
      }
    },
  );

  it('name no family and no field that there is none', () => {
    const paths = new Set(Object.values<Family>(families).map(({ path }) => path));
    const commands = served.flatMap(({ name }) => blocksOf(name)).filter(({ language }) => language === 'sh');
    for (const { text } of commands)
      for (const [, path = ''] of text.matchAll(/\$BASE(\/[a-z-]+)/g))
        expect(path === '/x' || path === '/status' || paths.has(path), path).toBe(true);
  });
});
