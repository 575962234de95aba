import bwipjs from 'bwip-js/generic';
import { invalid } from '../../../shared/contract/errors.ts';
import type { LabelSize } from '../../../shared/operations/paper-operations.ts';
import type { LabelCode } from './label.ts';
import type { Box } from './label-layout.ts';

/** A code as dark rectangles, in modules from the top left, quiet zone included. */
export interface BarcodeSymbol {
  /** In modules. */
  width: number;
  height: number;
  quiet: number;
  dark: { x: number; y: number; width: number; height: number }[];
}

/** Modules that stay white around each: ISO/IEC 15417 (10), 18004 (4), 16022 (1; 2 is easier to read). */
const QUIET = { code128: 10, qr: 4, datamatrix: 2 } as const;
const ENCODERS = { code128: 'code128', qr: 'qrcode', datamatrix: 'datamatrix' } as const;

/** Of bars: their height does not matter. */
const BAR = 1;

export function symbolOf({ symbol, isGs1, data }: LabelCode): BarcodeSymbol {
  const quiet = QUIET[symbol];
  const text = isGs1 ? `^FNC1${data}` : data;
  const options = symbol === 'qr' ? { eclevel: 'M' } : { parsefnc: isGs1 };
  const [made] = bwipjs.raw(ENCODERS[symbol], text, options);
  if (!made) throw new Error(`There is no symbol for ${data}.`);
  if ('pixs' in made) {
    const { pixs, pixx: width, pixy: height } = made;
    const dark = pixs.flatMap((pixel, index) =>
      pixel
        ? [{ x: quiet + (index % width), y: quiet + Math.floor(index / width), width: 1, height: 1 }]
        : [],
    );
    return { width: width + 2 * quiet, height: height + 2 * quiet, quiet, dark };
  }
  const bars: BarcodeSymbol['dark'] = [];
  let x: number = quiet;
  for (const [index, width] of made.sbs.entries()) {
    if (index % 2 === 0) bars.push({ x, y: 0, width, height: BAR });
    x += width;
  }
  return { width: x + quiet, height: BAR, quiet, dark: bars };
}

/** Below it, printers smear modules into each other and hand scanners fail. In millimetres. */
export const SMALLEST_MODULE = 0.17;

/** Above it, a code is larger than what a scanner sees at arm's length. */
const LARGEST_MODULE = 2;

/**
 * The side of a module that fills the box, in millimetres.
 * @throws AppError 422 where no scanner could read it
 */
export function moduleIn(symbol: BarcodeSymbol, code: LabelCode, box: Box, size: LabelSize): number {
  const byHeight = code.symbol === 'code128' ? Number.POSITIVE_INFINITY : box.height / symbol.height;
  const module = Math.min(box.width / symbol.width, byHeight, LARGEST_MODULE);
  if (module >= SMALLEST_MODULE) return module;
  throw invalid({
    size: [
      `The code of ${code.data.length} characters is too small to be read on a label of ${size} mm. Give a larger size, or symbol=datamatrix.`,
    ],
  });
}
