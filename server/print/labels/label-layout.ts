import { type LabelSize, type LabelSymbol, labelSizes } from '../../../shared/operations/paper-operations.ts';
import type { FitOptions, LabelText, TextRow } from './fit-text.ts';
import { fitText } from './fit-text.ts';
import type { Label } from './label.ts';

/** In millimetres, from the top left of the label. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface LabelLayout {
  width: number;
  height: number;
  code: Box;
  caption: Box;
  text: Box;
}

const PADDING = 2;
const CAPTION = 2.6;

/** Where text and code stand: beside each other, on a tall label and with a wide code below each other. */
export function labelLayout(size: LabelSize, symbol: LabelSymbol): LabelLayout {
  const [width, height] = labelSizes[size];
  const inner = { width: width - 2 * PADDING, height: height - 2 * PADDING };
  if (symbol === 'code128' || height > width) {
    const share = symbol === 'code128' ? (height > width ? 0.25 : 0.36) : 0.5;
    const code = inner.height * share;
    const top = height - PADDING - CAPTION - code;
    const side = symbol === 'code128' ? inner.width : Math.min(code, inner.width);
    return {
      width,
      height,
      text: { x: PADDING, y: PADDING, width: inner.width, height: top - PADDING - 1 },
      code: { x: (width - side) / 2, y: top, width: side, height: code },
      caption: { x: PADDING, y: height - PADDING - CAPTION + 0.4, width: inner.width, height: CAPTION - 0.4 },
    };
  }
  const side = Math.min(inner.height - CAPTION, inner.width * 0.42);
  const left = PADDING + side + 2;
  return {
    width,
    height,
    code: { x: PADDING, y: PADDING, width: side, height: side },
    text: { x: left, y: PADDING, width: width - PADDING - left, height: inner.height - CAPTION },
    caption: { x: PADDING, y: height - PADDING - CAPTION + 0.4, width: inner.width, height: CAPTION - 0.4 },
  };
}

/** The texts of a label in its box, in the sizes that have room. */
export function labelRows(label: Label, box: Box, measure: FitOptions['measure']): TextRow[] {
  const plain = { isBold: false, scale: 1, isInverse: false };
  const texts: LabelText[] = [
    ...(label.warning === null ? [] : [{ text: label.warning, isBold: true, scale: 1.1, isInverse: true }]),
    { ...plain, text: label.title, isBold: true, scale: 1.25 },
    ...label.lines.map(text => ({ ...plain, text })),
  ];
  const largest = Math.min(box.height / 5, 7);
  return fitText(texts, { ...box, largest, smallest: Math.min(2, largest), measure });
}
