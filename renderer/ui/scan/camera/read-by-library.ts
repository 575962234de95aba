import {
  BarcodeFormat,
  BinaryBitmap,
  DecodeHintType,
  HybridBinarizer,
  MultiFormatReader,
  RGBLuminanceSource,
} from '@zxing/library';
import { asScanned, type ReadCodes } from './as-scanned.ts';

const NAMES = new Map([
  [BarcodeFormat.DATA_MATRIX, 'data_matrix'],
  [BarcodeFormat.CODE_128, 'code_128'],
  [BarcodeFormat.QR_CODE, 'qr_code'],
  [BarcodeFormat.EAN_13, 'ean_13'],
  [BarcodeFormat.EAN_8, 'ean_8'],
  [BarcodeFormat.UPC_A, 'upc_a'],
  [BarcodeFormat.UPC_E, 'upc_e'],
  [BarcodeFormat.ITF, 'itf'],
  [BarcodeFormat.CODE_39, 'code_39'],
]);
/** Wider ones take longer and read no more. */
const WIDEST = 960;

/** For browsers without a reader of their own. One code of each picture. */
export function readByLibrary(): ReadCodes {
  const reader = new MultiFormatReader();
  reader.setHints(
    new Map<DecodeHintType, unknown>([
      [DecodeHintType.POSSIBLE_FORMATS, [...NAMES.keys()]],
      [DecodeHintType.TRY_HARDER, true],
    ]),
  );
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return async video => {
    const scale = Math.min(1, WIDEST / Math.max(1, video.videoWidth));
    const [width, height] = [Math.floor(video.videoWidth * scale), Math.floor(video.videoHeight * scale)];
    if (!context || width === 0 || height === 0) return [];
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    context.drawImage(video, 0, 0, width, height);
    const source = new RGBLuminanceSource(greyOf(context.getImageData(0, 0, width, height)), width, height);
    try {
      const found = reader.decodeWithState(new BinaryBitmap(new HybridBinarizer(source)));
      return [asScanned(found.getText(), NAMES.get(found.getBarcodeFormat()) ?? '')];
    } catch {
      // Nothing that could be read stands in this picture: the library says so by exceptions of several kinds.
      return [];
    } finally {
      reader.reset();
    }
  };
}

function greyOf({ data }: ImageData): Uint8ClampedArray {
  const grey = new Uint8ClampedArray(data.length / 4);
  for (let place = 0; place < grey.length; place += 1) {
    const [red = 0, green = 0, blue = 0] = data.subarray(place * 4, place * 4 + 3);
    grey[place] = (red + 2 * green + blue) / 4;
  }
  return grey;
}
