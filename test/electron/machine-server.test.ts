import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectMachineServer, machineServerOf } from '../../electron/machine-server.ts';
import type { ServerState } from '../../electron/server-supervisor.ts';
import { shellTexts } from '../../electron/texts.ts';
import { describeTrouble } from '../../electron/trouble.ts';

describe('the app is a client of the server of the machine', () => {
  const unit = '/etc/systemd/system/holdpoint-server.service';
  const told = '/run/holdpoint-server/server.json';
  const folder = '/home/ann/.local/share/holdpoint';
  it.each([
    ['where that is installed', {}, [unit], told],
    ['where its package is installed', {}, ['/usr/lib/systemd/system/holdpoint-server.service'], told],
    ['not where it is not', {}, [], undefined],
    ['not where this person has an installation', {}, [unit, `${folder}/holdpoint.db`], undefined],
    ['not where another folder is asked for', { HOLDPOINT_DATA: '/data' }, [unit], undefined],
    [
      'where it is asked for',
      { HOLDPOINT_SERVICE: '/run/x.json', HOLDPOINT_DATA: '/data' },
      [],
      '/run/x.json',
    ],
  ])('%s', (_when, env, there: string[], expected) => {
    expect(machineServerOf({ platform: 'linux', env, folder }, path => there.includes(path))).toBe(expected);
  });
});

describe('where it does not answer', () => {
  it.each(['en-GB', 'de-AT'])(
    'a person is told in %s, and offered nothing that is only the administrators’ to do',
    locale => {
      const texts = shellTexts(locale);
      const { message, detail, buttons } = describeTrouble({
        texts,
        why: 'no_service',
        lastLines: [],
        backup: undefined,
      });
      expect([message, detail]).toEqual([texts.no_service, texts.noServiceMeans]);
      expect(detail).toContain('holdpoint service status');
      expect(buttons.map(({ action }) => action)).toEqual(['try_again', 'show_log', 'quit']);
    },
  );
});

describe('the server of the machine', () => {
  let folder: string;
  let path: string;
  let answering: string[];
  let states: ServerState[];
  beforeEach(() => {
    vi.useFakeTimers();
    folder = mkdtempSync(join(tmpdir(), 'holdpoint-machine-'));
    path = join(folder, 'server.json');
    answering = [];
    states = [];
  });
  afterEach(() => {
    vi.useRealTimers();
    rmSync(folder, { recursive: true });
  });

  const tell = (origin: string, policy = {}) =>
    writeFileSync(
      path,
      JSON.stringify({ origin, process: 7, user: 'holdpoint', folder: '/d', version: '1', policy }),
    );
  const policies: unknown[] = [];
  const connect = () =>
    connectMachineServer({
      path,
      onState: state => states.push(state),
      onPolicy: policy => policies.push(policy),
      isAnswering: async origin => answering.includes(origin),
      startLimit: 30_000,
    });

  it('is used while it answers, waited for while it starts again, and found where it then is', async () => {
    const [one, other] = ['http://127.0.0.1:4870', 'http://127.0.0.1:4871'];
    tell(one, { updates: 'off' });
    answering = [one];
    const server = connect();
    server.start();
    await vi.advanceTimersByTimeAsync(0);
    expect([server.origin(), policies.at(-1)]).toEqual([one, { updates: 'off' }]);
    answering = [];
    await vi.advanceTimersByTimeAsync(5_000);
    expect(server.origin()).toBeUndefined();
    tell(other);
    answering = [other];
    await vi.advanceTimersByTimeAsync(500);
    expect(server.origin()).toBe(other);
    expect(states.map(({ kind }) => kind)).toEqual(['starting', 'elsewhere', 'waiting', 'elsewhere']);
    // Nothing of it is this app's to end.
    expect(server.tellToStop()).toBeUndefined();
    await server.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.state()).toEqual({ kind: 'stopped' });
  });

  it('is told of as missing when it has not answered for long, and is looked for again', async () => {
    const server = connect();
    server.start();
    await vi.advanceTimersByTimeAsync(40_000);
    expect(states.at(-1)).toEqual({ kind: 'failed', why: 'no_service' });
    expect(vi.getTimerCount()).toBe(0);
    tell('http://127.0.0.1:4870');
    answering = ['http://127.0.0.1:4870'];
    server.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(states.at(-1)?.kind).toBe('elsewhere');
  });

  it.each(['{', '{"origin":"http://evil.example"}', ''])('a file that says %j says nothing', async text => {
    writeFileSync(path, text);
    const server = connect();
    server.start();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(server.state().kind).toBe('waiting');
  });
});
