import { asScanned, type ReadCodes } from './as-scanned.ts';

/** Chromium's own on Android, macOS and ChromeOS (Shape Detection); TypeScript does not know it. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string; format: string }[]>;
}
interface DetectorClass {
  new (options: { formats: readonly string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
}

/** What labels of goods, places and people carry. */
const FORMATS = ['data_matrix', 'code_128', 'qr_code', 'ean_13', 'ean_8', 'upc_a', 'upc_e', 'itf', 'code_39'];

/** The browser's own reader, where it has one that reads what the dock needs; else one that is loaded then. */
export async function readerOfCodes(): Promise<ReadCodes> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass };
  const supported = (await BarcodeDetector?.getSupportedFormats().catch(() => [])) ?? [];
  const formats = FORMATS.filter(format => supported.includes(format));
  if (!BarcodeDetector || !formats.includes('data_matrix') || !formats.includes('code_128')) {
    const { readByLibrary } = await import('./read-by-library.ts');
    return readByLibrary();
  }
  const detector = new BarcodeDetector({ formats });
  return async video =>
    (await detector.detect(video)).map(({ rawValue, format }) => asScanned(rawValue, format));
}
