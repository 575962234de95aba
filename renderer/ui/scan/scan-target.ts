import { useLayoutEffect, useRef } from 'react';

/** Takes a scan (raw, FNC1 as `\u001d`); true when it has done with it. */
export type ScanHandler = (text: string) => boolean;

const handlers: ScanHandler[] = [];

/** A screen that works by scanning takes every scan while it is shown; the one shown last comes first. */
export function useScanTarget(handle: ScanHandler): void {
  const latest = useRef(handle);
  latest.current = handle;
  useLayoutEffect(() => {
    const handler: ScanHandler = text => latest.current(text);
    handlers.push(handler);
    return () => {
      handlers.splice(handlers.indexOf(handler), 1);
    };
  }, []);
}

/** Whether a screen has taken the scan. */
export function offerScan(text: string): boolean {
  return handlers.toReversed().some(handle => handle(text));
}

export function hasScanTarget(): boolean {
  return handlers.length > 0;
}
