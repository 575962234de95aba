import { writeFileSync } from 'node:fs';
import type { LabelCode } from '../../../server/print/labels/label.ts';
import { symbolOf } from '../../../server/print/labels/symbol.ts';

const [WIDTH, HEIGHT] = [640, 480];
const FRAMES = 4;
const [WHITE, BLACK] = [235, 16];

/** What Chromium shows in place of a camera: a film (YUV4MPEG2) of a label that is held before it. */
export function writeFilm(file: string, code: Pick<LabelCode, 'symbol' | 'data' | 'isGs1'>): void {
  const symbol = symbolOf({ ...code, caption: '' });
  const module = Math.floor(Math.min((WIDTH * 0.6) / symbol.width, (HEIGHT * 0.6) / symbol.height));
  const light = Buffer.alloc(WIDTH * HEIGHT, WHITE);
  const left = Math.floor((WIDTH - symbol.width * module) / 2);
  const top = Math.floor((HEIGHT - symbol.height * module) / 2);
  for (const dark of symbol.dark) {
    for (let row = 0; row < dark.height * module; row += 1) {
      const from = (top + dark.y * module + row) * WIDTH + left + dark.x * module;
      light.fill(BLACK, from, from + dark.width * module);
    }
  }
  const colourless = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), light, colourless]);
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  writeFileSync(file, Buffer.concat([head, ...Array.from({ length: FRAMES }, () => frame)]));
}
