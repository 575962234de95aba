import type { Checkpoint } from '../../shared/operations/checkpoint-operations.ts';
import { fingerprintOfKey } from '../keys/ed25519.ts';
import { symbolOf } from '../print/labels/symbol.ts';
import { checkpointFile } from '../trust/checkpoint.ts';

/** Below the code, each a fortieth of its width high. */
const LINES = 3;

/**
 * A checkpoint as a picture (SVG) for paper: a QR code whose text is a file of checkpoints, as `verify --checkpoint` and `verify.mjs` read it once it
 * is scanned, and below it when it was signed, by which installation and key.
 * @throws Error where a QR code does not hold it: more than 2,331 bytes, of an installation with a score of former chains
 */
export function checkpointCode(checkpoint: Checkpoint): string {
  const data = JSON.stringify(checkpointFile([checkpoint]));
  const { width, height, dark } = symbolOf({ symbol: 'qr', isGs1: false, data, caption: '' });
  const path = dark.map(({ x, y }) => `M${x} ${y}h1v1h-1z`).join('');
  const line = width / 40;
  const texts = [
    `Holdpoint checkpoint of ${checkpoint.at}`,
    `installation ${checkpoint.installation}`,
    `key SHA-256 ${fingerprintOfKey(checkpoint.key)}`,
  ].map((text, index) => `<text x="4" y="${height + (index + 1) * line}">${text}</text>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height + (LINES + 1) * line}" width="120mm" font-family="monospace" font-size="${line * 0.8}">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<path d="${path}" shape-rendering="crispEdges"/>`,
    ...texts,
    '</svg>\n',
  ].join('\n');
}
