import { useLayoutEffect, useRef } from 'react';

/**
 * Takes a scan (raw, FNC1 as `\u001d`). A scan that is cut broke off before its end.
 * @returns false when it is none of its own; what takes the scan back, should its end come late, or true
 */
export type ScanHandler = (text: string, isCut: boolean) => boolean | (() => void);

const handlers: ScanHandler[] = [];
let surfaces = 0;

/**
 * A screen that works by scanning takes every scan while it is shown; the one shown last comes first.
 * @param isOn false: it is done with scanning, and a scan opens what was scanned as anywhere else
 */
export function useScanTarget(handle: ScanHandler, isOn = true): void {
  const latest = useRef(handle);
  latest.current = handle;
  useLayoutEffect(() => {
    if (!isOn) return;
    const handler: ScanHandler = (text, isCut) => latest.current(text, isCut);
    handlers.push(handler);
    return () => {
      handlers.splice(handlers.indexOf(handler), 1);
    };
  }, [isOn]);
}

/** A screen for scanning first of all: where no field has the caret, every key is a scanner's, whatever its pace. */
export function useScanSurface(handle: ScanHandler, isOn = true): void {
  useScanTarget(handle, isOn);
  useLayoutEffect(() => {
    if (!isOn) return;
    surfaces += 1;
    return () => {
      surfaces -= 1;
    };
  }, [isOn]);
}

/** False: no screen has taken the scan; else what takes it back, where the screen can. */
export function offerScan(text: string, isCut: boolean): ReturnType<ScanHandler> {
  for (const handle of handlers.toReversed()) {
    const taken = handle(text, isCut);
    if (taken !== false) return taken;
  }
  return false;
}

export function hasScanTarget(): boolean {
  return handlers.length > 0;
}

export function isOnSurface(): boolean {
  return surfaces > 0;
}
