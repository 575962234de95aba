import { contextBridge, ipcRenderer } from 'electron';
import type { DesktopBridge } from '../shared/contract/desktop-bridge.ts';
import { bridgeChannels as channels } from './bridge-channels.ts';

/** What pages of this app may ask of it: functions for one thing each, never the channel itself. */
const bridge = {
  app: {
    version: () => ipcRenderer.invoke(channels.version),
    openLogs: () => ipcRenderer.invoke(channels.openLogs),
  },
  labels: {
    printers: () => ipcRenderer.invoke(channels.printers),
    preset: () => ipcRenderer.invoke(channels.preset),
    print: input => ipcRenderer.invoke(channels.print, input),
    jobs: () => ipcRenderer.invoke(channels.jobs),
    decide: decision => ipcRenderer.invoke(channels.decide, decision),
  },
  kiosk: {
    isOn: () => ipcRenderer.invoke(channels.isKiosk),
    leave: input => ipcRenderer.invoke(channels.leaveKiosk, input),
    printer: () => ipcRenderer.invoke(channels.kioskPrinter),
  },
  updates: {
    report: () => ipcRenderer.invoke(channels.updateReport),
    look: () => ipcRenderer.invoke(channels.lookForUpdates),
  },
} as const satisfies DesktopBridge;

contextBridge.exposeInMainWorld('holdpoint', bridge);
