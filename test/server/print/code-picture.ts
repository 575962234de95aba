import { contentOf } from './pdf-text.ts';

export interface Picture {
  width: number;
  height: number;
  /** A byte a dot, 0 black and 255 white. */
  luminance: Uint8ClampedArray;
}

const DOTS_PER_POINT = 5;
/** White around the code, in dots: a reader looks for a DataMatrix in the middle of what it sees. */
const BORDER = 60;

/** The code on a label's first page as a picture, made of the rectangles that the file draws for it. */
export function codePicture(file: Uint8Array): Picture {
  const [content = ''] = contentOf(file);
  // The code is filled first, all at once.
  const code = content.slice(0, content.search(/\nf\b/));
  const dark = [...code.matchAll(/([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re/g)].map(([, ...numbers]) => {
    const [x = 0, y = 0, width = 0, height = 0] = numbers.map(number => Number(number) * DOTS_PER_POINT);
    return { left: x, top: y, right: x + width, bottom: y + height };
  });
  const left = Math.min(...dark.map(each => each.left)) - BORDER;
  const top = Math.min(...dark.map(each => each.top)) - BORDER;
  const width = Math.ceil(Math.max(...dark.map(each => each.right)) - left) + BORDER;
  const height = Math.ceil(Math.max(...dark.map(each => each.bottom)) - top) + BORDER;
  const luminance = new Uint8ClampedArray(width * height).fill(255);
  for (const each of dark) {
    for (let row = Math.round(each.top - top); row < Math.round(each.bottom - top); row += 1) {
      const start = row * width - left;
      luminance.fill(0, Math.round(start + each.left), Math.round(start + each.right));
    }
  }
  return { width, height, luminance };
}
