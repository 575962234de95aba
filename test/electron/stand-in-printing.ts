import type { WebContentsPrintOptions } from 'electron';

type Callback = (isDone: boolean, reason: string) => void;

/** The printers of the stand-in's system, and how each ends a job. */
export const PRINTERS: Record<string, 'prints' | 'fails' | 'goes'> = {
  zebra: 'prints',
  /** The system's queue refuses what it is given. */
  jammed: 'fails',
  /** Listed, and gone when something is to be printed. */
  leaving: 'goes',
};

/** What is printed, and on which paper. */
export interface Printed {
  on: string;
  silent: boolean;
  /** Thousandths of a millimetre. */
  width: number;
  height: number;
}

/**
 * What Electron makes of `webContents.print`: what it refuses before anything is printed, and by which word it ends
 * (lib/browser/api/web-contents.ts, print; shell/browser/printing/printing_utils.cc, GetDeviceNameToUse;
 * shell/browser/api/electron_api_web_contents.cc, Print).
 * @throws as Electron does, at once
 */
export function printAsElectron(
  options: WebContentsPrintOptions,
  callback: Callback,
  print: (printed: Printed) => void,
): void {
  if (typeof options !== 'object')
    throw new TypeError('webContents.print(): Invalid print settings specified.');
  if (typeof callback !== 'function')
    throw new TypeError('webContents.print(): Invalid optional callback provided.');
  const { pageSize, deviceName = 'zebra', silent = false } = options;
  if (typeof pageSize !== 'object') throw new Error(`Unsupported pageSize: ${pageSize}`);
  if (!pageSize.height || !pageSize.width)
    throw new Error('height and width properties are required for pageSize');
  const [width, height] = [Math.ceil(pageSize.width), Math.ceil(pageSize.height)];
  if (Math.min(width, height) <= 352)
    throw new RangeError('height and width properties must be minimum 352 microns.');
  const end = PRINTERS[deviceName];
  // Looked up in a thread of its own, so never at once.
  setImmediate(() => {
    if (end === undefined || end === 'goes') return callback(false, 'Invalid deviceName provided');
    if (end === 'fails') return callback(false, 'Print job failed');
    print({ on: deviceName, silent, width, height });
    callback(true, '');
  });
}
