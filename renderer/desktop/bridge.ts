import type { DesktopBridge } from '../../shared/contract/desktop-bridge.ts';

declare global {
  interface Window {
    /** Put there by the desktop app (electron/preload.ts) before any script of the page runs. */
    readonly holdpoint?: DesktopBridge;
  }
}

/** The desktop app around this page; undefined in a browser. */
export function bridge(): DesktopBridge | undefined {
  return window.holdpoint;
}
