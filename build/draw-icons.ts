import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

/**
 * `node build/draw-icons.ts [chromium]`: draws `renderer/public/icon.svg` in every size and format that installers want,
 * into `build/icons`. The drawn files are kept with the source, so that a build needs no converter.
 */
const PROJECT = join(import.meta.dirname, '..');
const FOLDER = join(PROJECT, 'build', 'icons');
const SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
/** Apple's types of icon that hold a PNG, by size. */
const ICNS_TYPES: [type: string, size: number][] = [
  ['icp4', 16],
  ['icp5', 32],
  ['ic07', 128],
  ['ic08', 256],
  ['ic09', 512],
  ['ic10', 1024],
  ['ic11', 32],
  ['ic12', 64],
  ['ic13', 256],
  ['ic14', 512],
];

const drawn = await draw();
await mkdir(FOLDER, { recursive: true });
for (const [size, png] of drawn) await writeFile(join(FOLDER, `${size}x${size}.png`), png);
await writeFile(join(FOLDER, 'icon.ico'), windowsIcon([16, 24, 32, 48, 64, 128, 256]));
await writeFile(join(FOLDER, 'icon.icns'), macIcon());

async function draw(): Promise<Map<number, Buffer>> {
  const svg = await readFile(join(PROJECT, 'renderer', 'public', 'icon.svg'), 'utf8');
  const browser = await chromium.launch({
    executablePath: process.argv[2] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  const pictures = new Map<number, Buffer>();
  for (const size of SIZES) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const sized = svg.replace('<svg ', `<svg width="${size}" height="${size}" style="display:block" `);
    await page.setContent(`<body style="margin:0">${sized}`);
    pictures.set(size, await page.screenshot({ omitBackground: true }));
    await page.close();
  }
  await browser.close();
  return pictures;
}

function pngOf(size: number): Buffer {
  const png = drawn.get(size);
  if (!png) throw new Error(`No picture of ${size} pixels was drawn.`);
  return png;
}

/** An ICONDIR of PNG entries, which Windows reads since Vista. */
function windowsIcon(sizes: readonly number[]): Buffer {
  const head = Buffer.alloc(6 + 16 * sizes.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(sizes.length, 4);
  let offset = head.length;
  for (const [at, size] of sizes.entries()) {
    const entry = 6 + 16 * at;
    const { length } = pngOf(size);
    // 256 is written as 0.
    head.writeUInt8(size % 256, entry);
    head.writeUInt8(size % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4);
    head.writeUInt16LE(32, entry + 6);
    head.writeUInt32LE(length, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += length;
  }
  return Buffer.concat([head, ...sizes.map(pngOf)]);
}

/** `icns`, its length, then each picture with its type and length. */
function macIcon(): Buffer {
  const parts = ICNS_TYPES.map(([type, size]) => tagged(type, pngOf(size)));
  return tagged('icns', Buffer.concat(parts));
}

function tagged(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'ascii');
  head.writeUInt32BE(content.length + 8, 4);
  return Buffer.concat([head, content]);
}
