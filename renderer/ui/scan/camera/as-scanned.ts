/** Codes in a picture of the camera, as a scanner sends them: with the symbology identifier where a check digit goes by it. */
export type ReadCodes = (video: HTMLVideoElement) => Promise<string[]>;

const NUMBERS: ReadonlySet<string> = new Set(['ean_13', 'ean_8', 'upc_a', 'upc_e']);

/** @param format as the Shape Detection API names it */
export function asScanned(text: string, format: string): string {
  return NUMBERS.has(format) ? `]E0${text}` : text;
}
