import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLabelQueue, PrintFailure, type StoredLabelJob } from '../../electron/label-queue.ts';
import { sendRaw } from '../../electron/raw-printer.ts';
import { type LabelInput, labelInputSchema } from '../../shared/contract/desktop-bridge.ts';

let folder: string;
let path: string;
let number: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdpoint-labels-'));
  path = join(folder, 'labels.json');
  number = 0;
});
afterEach(() => rm(folder, { recursive: true }));

const newId = () => `job-${++number}`;

function zpl(title: string): LabelInput {
  return {
    kind: 'network',
    title,
    host: 'printer.example',
    port: 9100,
    content: Buffer.from(`^XA${title}^XZ`),
  };
}

/** A printer that notes what comes, and says when it is done. */
function printer() {
  const came: string[] = [];
  let settle: (error?: Error) => void = () => {};
  const print = (job: StoredLabelJob) => {
    came.push(job.title);
    return new Promise<void>((resolve, reject) => {
      settle = error => (error ? reject(error) : resolve());
    });
  };
  return { came, print, done: (error?: Error) => settle(error) };
}

describe('the queue', () => {
  it('prints one after the other, in order, and forgets what is printed', async () => {
    const came: string[] = [];
    const queue = openLabelQueue({ path, newId, print: async ({ title }) => void came.push(title) });
    for (const title of ['A', 'B', 'C']) queue.add(zpl(title));
    await queue.idle();
    expect([came, queue.jobs()]).toEqual([['A', 'B', 'C'], []]);
  });

  it('has a job on disk before it says that it took it, and before the printer gets it', async () => {
    const stored: string[] = [];
    const { print } = printer();
    const queue = openLabelQueue({
      path,
      newId,
      print: async job => {
        stored.push(await readFile(path, 'utf8'));
        return print(job);
      },
    });
    const taken = queue.add(zpl('A'));
    expect(taken).toEqual({
      id: 'job-1',
      title: 'A',
      to: 'printer.example:9100',
      state: 'queued',
      fault: null,
      detail: null,
    });
    await expect.poll(() => stored.length).toBe(1);
    expect(JSON.parse(stored[0] ?? '')).toMatchObject([{ id: 'job-1', state: 'handed_over' }]);
  });

  it('asks, and does not print again, what was on its way when the app ended', async () => {
    const first = printer();
    const before = openLabelQueue({ path, newId, print: first.print });
    before.add(zpl('A'));
    before.add(zpl('B'));
    await expect.poll(() => first.came).toEqual(['A']);
    // The process ends here: nothing more is heard of `before`.
    const came: string[] = [];
    const after = openLabelQueue({ path, newId, print: async ({ title }) => void came.push(title) });
    await after.idle();
    expect(came).toEqual(['B']);
    expect(after.jobs()).toMatchObject([{ title: 'A', state: 'asking', fault: 'interrupted', detail: null }]);
    expect(after.decide('job-1', 'print_again')).toMatchObject([{ title: 'A' }]);
    await after.idle();
    expect([came, after.jobs()]).toEqual([['B', 'A'], []]);
  });

  it('waits with the rest for the next start once it is closed', async () => {
    const first = printer();
    const before = openLabelQueue({ path, newId, print: first.print });
    before.add(zpl('A'));
    before.add(zpl('B'));
    await expect.poll(() => first.came).toEqual(['A']);
    before.close();
    first.done();
    await before.idle();
    expect(first.came).toEqual(['A']);
    const came: string[] = [];
    await openLabelQueue({ path, newId, print: async ({ title }) => void came.push(title) }).idle();
    expect(came).toEqual(['B']);
  });

  it.each([
    [new PrintFailure('no_printer', false), 'failed', 'no_printer', null],
    [new PrintFailure('broke_off', true, 'reset'), 'asking', 'broke_off', 'reset'],
    [new Error('Who knows.'), 'asking', 'unknown', 'Who knows.'],
  ] as const)('says of %s: %s, and goes on with the next', async (failure, state, fault, detail) => {
    const came: string[] = [];
    const queue = openLabelQueue({
      path,
      newId,
      print: async ({ title }) => {
        came.push(title);
        if (title === 'A') throw failure;
      },
    });
    queue.add(zpl('A'));
    queue.add(zpl('B'));
    await queue.idle();
    expect(came).toEqual(['A', 'B']);
    expect(queue.jobs()).toMatchObject([{ title: 'A', state, fault, detail }]);
    expect(queue.decide('job-1', 'drop')).toEqual([]);
  });

  it('decides only what asks: a job on its way is not taken back', async () => {
    const { came, print, done } = printer();
    const queue = openLabelQueue({ path, newId, print });
    queue.add(zpl('A'));
    await expect.poll(() => came).toEqual(['A']);
    expect(queue.decide('job-1', 'print_again')).toMatchObject([{ state: 'handed_over' }]);
    expect(queue.decide('job-9', 'drop')).toMatchObject([{ state: 'handed_over' }]);
    done();
    await queue.idle();
    expect(came).toEqual(['A']);
  });

  it('begins anew, and keeps what it found, where its file is damaged', async () => {
    await writeFile(path, '[{"id": 1');
    const queue = openLabelQueue({ path, newId, print: async () => {} });
    expect(queue.jobs()).toEqual([]);
    expect(await readFile(`${path}.damaged`, 'utf8')).toBe('[{"id": 1');
  });
});

describe('what a page may hand over', () => {
  const pdf = {
    kind: 'printer',
    title: 'Lot 7',
    printer: 'Zebra',
    content: Buffer.from('%PDF-1.7'),
    width_mm: 62,
    height_mm: 29,
  };
  it.each([
    ['a PDF for a printer', pdf, true],
    ['ZPL for a label printer', zpl('A'), true],
    ['another file', { ...pdf, content: Buffer.from('<html>') }, false],
    [
      'too large a file',
      { ...pdf, content: Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(6e6)]) },
      false,
    ],
    ['text in place of bytes', { ...pdf, content: '%PDF-1.7' }, false],
    ['no size', { ...pdf, width_mm: 0 }, false],
    ['something else to a label printer', { ...zpl('A'), content: Buffer.from('GET / HTTP/1.1') }, false],
    ['another service of that host', { ...zpl('A'), port: 25 }, false],
    ['an address that is none', { ...zpl('A'), host: 'printer/../x' }, false],
    ['a key too many', { ...zpl('A'), file: '/etc/passwd' }, false],
  ])('%s: %o', (_what, input, isRight) => {
    expect(labelInputSchema.safeParse(input).success).toBe(isRight);
  });
});

describe('a label printer in the network', () => {
  it('gets the bytes as they are', async () => {
    const got: Buffer[] = [];
    const server = createServer({ allowHalfOpen: true }, socket => {
      socket.on('data', chunk => got.push(chunk));
      socket.on('end', () => socket.end('OK'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const content = Buffer.from(`^XA${'x'.repeat(300_000)}^XZ`);
    await sendRaw({ host: '127.0.0.1', port, content });
    expect(Buffer.concat(got).equals(content)).toBe(true);
    server.close();
  });

  it('that is off has got nothing', async () => {
    const failing = sendRaw({ host: '127.0.0.1', port: 1, content: Buffer.from('^XA') });
    await expect(failing).rejects.toMatchObject({ fault: 'unreachable', hasBegun: false });
  });

  it.each([
    ['breaks off', 'broke_off'],
    ['says nothing', 'silent'],
  ])('that %s may have printed it', async (how, fault) => {
    const server = createServer(socket => {
      socket.on('error', () => {});
      if (how === 'breaks off') socket.once('data', () => socket.resetAndDestroy());
      else socket.pause();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const content = Buffer.alloc(20_000_000, '^XA');
    const failing = sendRaw({ host: '127.0.0.1', port, content, patience: 300 });
    await expect(failing).rejects.toMatchObject({ fault, hasBegun: true });
    server.close();
  });
});
