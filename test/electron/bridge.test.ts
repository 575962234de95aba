import { beforeEach, describe, expect, it, vi } from 'vitest';
import { bridgeHandlers } from '../../electron/bridge.ts';
import { bridgeChannels as channels } from '../../electron/bridge-channels.ts';

const own = { senderFrame: { url: 'app://bundle/app', parent: null } };
const added: unknown[] = [];
const looked: string[] = [];
const labels = {
  add: (input: unknown) => {
    added.push(input);
    return { id: '1', title: '', to: '', state: 'queued', fault: null, detail: null } as const;
  },
  jobs: () => [],
  decide: () => [],
  idle: async () => {},
  close: () => {},
};
const handlers = bridgeHandlers({
  version: '1.2.3',
  openLogs: () => {},
  printers: async () => [{ name: 'zebra', title: 'Zebra' }],
  preset: () => ({ kind: 'printer', name: 'zebra' }),
  labels,
  kiosk: {
    isOn: () => true,
    leave: async pin => (pin === '493817' ? 'left' : 'wrong'),
    printer: () => 'zebra',
  },
  updates: {
    report: () => ({ state: { kind: 'latest' }, looked_at: looked.at(-1) ?? null }),
    look: async () => void looked.push('2031-01-15T08:00:00.000Z'),
  },
});
beforeEach(() => added.splice(0));

describe('every channel', () => {
  it.each(Object.values(channels))('%s hears pages of this app alone', async channel => {
    for (const senderFrame of [
      null,
      { url: 'https://example.com/', parent: null },
      { url: 'app://bundle/app', parent: {} },
      { url: 'blob:app://bundle/1', parent: null },
    ]) {
      await expect(handlers[channel]({ senderFrame })).rejects.toThrow('Only pages of this app');
    }
  });

  it.each(Object.values(channels))('%s takes nothing that it does not understand', async channel => {
    for (const args of [
      [{ kind: 'shell', command: 'rm' }],
      ['x'],
      [1, 2],
      [{ __proto__: { kind: 'printer' } }],
    ]) {
      await expect(handlers[channel](own, ...args)).rejects.toThrow('not understood');
    }
    expect(added).toEqual([]);
  });
});

it('answers a page of this app', async () => {
  expect(await handlers[channels.version](own)).toBe('1.2.3');
  expect(await handlers[channels.isKiosk](own)).toBe(true);
  expect(await handlers[channels.kioskPrinter](own)).toBe('zebra');
  expect(await handlers[channels.leaveKiosk](own, { pin: '493817' })).toBe('left');
  expect(await handlers[channels.preset](own)).toEqual({ kind: 'printer', name: 'zebra' });
  expect(await handlers[channels.printers](own)).toEqual([{ name: 'zebra', title: 'Zebra' }]);
  const content = Buffer.from('^XA^XZ');
  const input = { kind: 'network', title: 'A', host: 'p', port: 9100, content };
  await handlers[channels.print](own, input);
  expect(added).toEqual([input]);
  const never = { state: { kind: 'latest' }, looked_at: null };
  expect(await handlers[channels.updateReport](own)).toEqual(never);
  expect(await handlers[channels.lookForUpdates](own)).toEqual({ ...never, looked_at: looked[0] });
});

it('the preload gives pages functions for these channels, and nothing of Electron', async () => {
  const exposed: Record<string, unknown> = {};
  const invoked: unknown[][] = [];
  vi.doMock('electron', () => ({
    contextBridge: {
      exposeInMainWorld: (name: string, bridge: unknown) => Object.assign(exposed, { [name]: bridge }),
    },
    ipcRenderer: { invoke: (...args: unknown[]) => invoked.push(args) },
  }));
  await import('../../electron/preload.ts');
  vi.doUnmock('electron');
  expect(Object.keys(exposed)).toEqual(['holdpoint']);
  const areas = Object.values(
    exposed.holdpoint as Record<string, Record<string, (input?: unknown) => unknown>>,
  );
  const functions = areas.flatMap(area => Object.values(area));
  for (const each of functions) each({ id: '1' });
  expect(invoked.map(([channel]) => channel).sort()).toEqual(Object.values(channels).sort());
});
