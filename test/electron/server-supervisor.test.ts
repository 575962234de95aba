import { EventEmitter } from 'node:events';
import type { UtilityProcess } from 'electron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { afterServerEnd, REFUSED } from '../../electron/restart-policy.ts';
import {
  createServerSupervisor,
  type ServerChild,
  type ServerState,
} from '../../electron/server-supervisor.ts';
import { REFUSED as REFUSED_OF_SERVER } from '../../server/app/exit-codes.ts';

class StandInChild extends EventEmitter implements ServerChild {
  readonly messages: unknown[] = [];
  killed = 0;

  postMessage(message: unknown): void {
    this.messages.push(message);
  }
  kill(): boolean {
    this.killed += 1;
    this.emit('exit', 137);
    return true;
  }
  start(origin = 'http://127.0.0.1:4870', firstCode: string | null = null): void {
    this.emit('message', { type: 'server-started', origin, firstCode });
  }
}

let isAnswering = true;
let children: StandInChild[];
let states: ServerState[];
beforeEach(() => {
  vi.useFakeTimers();
  children = [];
  states = [];
});
afterEach(() => vi.useRealTimers());

function supervisor() {
  const made = createServerSupervisor({
    fork: () => {
      const child = new StandInChild();
      children.push(child);
      return child;
    },
    onState: state => states.push(state),
    now: () => Date.now(),
    isAnswering: async () => isAnswering,
  });
  const child = () => children.at(-1) as StandInChild;
  return { made, child };
}

it('takes what Electron gives, and knows what the server means by its exit codes', () => {
  const fits: (process: UtilityProcess) => ServerChild = process => process;
  expect(fits).toBeDefined();
  expect(REFUSED).toBe(REFUSED_OF_SERVER);
});

describe('what follows an end', () => {
  it.each([
    [
      { code: 1, ranFor: 10, failures: 0 },
      { kind: 'restart', waitMs: 200, failures: 1 },
    ],
    [
      { code: undefined, ranFor: 10, failures: 2 },
      { kind: 'restart', waitMs: 800, failures: 3 },
    ],
    [
      { code: 70, ranFor: 59_999, failures: 5 },
      { kind: 'give_up', why: 'keeps_ending' },
    ],
    [
      { code: 70, ranFor: 60_000, failures: 5 },
      { kind: 'restart', waitMs: 200, failures: 1 },
    ],
    [
      { code: 0, ranFor: 10, failures: 0 },
      { kind: 'restart', waitMs: 200, failures: 1 },
    ],
    [
      { code: REFUSED, ranFor: 10, failures: 0 },
      { kind: 'give_up', why: 'refused' },
    ],
    [
      { code: REFUSED, ranFor: 99_999, failures: 0 },
      { kind: 'give_up', why: 'refused' },
    ],
  ] as const)('%j: %j', (end, next) => {
    expect(afterServerEnd(end)).toEqual(next);
  });
});

describe('the server', () => {
  it('runs once it has said where', () => {
    const { made, child } = supervisor();
    made.start();
    expect(made.origin()).toBeUndefined();
    child().emit('message', 'something else');
    child().emit('message', { type: 'server-started', origin: 'https://evil.example', firstCode: null });
    expect(made.state()).toEqual({ kind: 'starting' });
    child().start('http://127.0.0.1:4999', 'abc');
    expect(made.state()).toEqual({ kind: 'running', origin: 'http://127.0.0.1:4999', firstCode: 'abc' });
    expect(made.origin()).toBe('http://127.0.0.1:4999');
  });

  it('hands over what the administrators of the machine decided for the app, and nothing else of it', () => {
    const policies: unknown[] = [];
    let child: StandInChild | undefined;
    const made = createServerSupervisor({
      fork: () => {
        child = new StandInChild();
        return child;
      },
      onState: () => {},
      onPolicy: policy => policies.push(policy),
    });
    made.start();
    const [origin, policy] = ['http://127.0.0.1:4999', { updates: 'off', enrolment_code: 'HP1-…' }];
    child?.emit('message', { type: 'server-started', origin, firstCode: null, policy });
    expect(policies).toEqual([{ updates: 'off' }]);
  });

  it('may take its time once it has said that it prepares the data', () => {
    const { made, child } = supervisor();
    made.start();
    vi.advanceTimersByTime(29_000);
    child().emit('message', { type: 'server-preparing' });
    vi.advanceTimersByTime(3_600_000);
    expect([made.state(), child().killed]).toEqual([{ kind: 'starting' }, 0]);
    child().start();
    expect(made.state()).toMatchObject({ kind: 'running' });
  });

  it('comes back after an end, later each time, until a person is asked', () => {
    const { made, child } = supervisor();
    made.start();
    const waits: number[] = [];
    for (let ends = 0; made.state().kind !== 'failed'; ends++) {
      expect(ends).toBeLessThan(20);
      child().start();
      child().emit('exit', 1);
      const state = made.state();
      if (state.kind === 'waiting') {
        waits.push(state.waitMs);
        vi.advanceTimersByTime(state.waitMs);
      }
    }
    expect(waits).toEqual([200, 400, 800, 1600, 3200]);
    expect(made.state()).toEqual({ kind: 'failed', why: 'keeps_ending' });
    made.start();
    expect([children.length, made.state()]).toEqual([7, { kind: 'starting' }]);
  });

  it('is given up at once where it refuses', () => {
    const { made, child } = supervisor();
    made.start();
    child().emit('exit', REFUSED);
    expect(made.state()).toEqual({ kind: 'failed', why: 'refused' });
    vi.advanceTimersByTime(60_000);
    expect(children).toHaveLength(1);
  });

  it('is ended where it says nothing in its time, and what it says then counts for nothing', () => {
    const { made, child } = supervisor();
    made.start();
    vi.advanceTimersByTime(29_999);
    expect(child().killed).toBe(0);
    vi.advanceTimersByTime(1);
    expect([child().killed, made.state()]).toEqual([1, { kind: 'failed', why: 'silent' }]);
    child().start();
    expect(made.state()).toEqual({ kind: 'failed', why: 'silent' });
  });

  it('is told to stop, and waited for', async () => {
    const { made, child } = supervisor();
    made.start();
    child().start();
    let isOver = false;
    const stopping = Promise.all([made.stop(), made.stop()]).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(59_000);
    expect([isOver, child().messages, child().killed]).toEqual([false, ['stop'], 0]);
    child().emit('exit', 0);
    await stopping;
    expect([made.state(), children.length]).toEqual([{ kind: 'stopped' }, 1]);
  });

  it('is ended where it does not stop', async () => {
    const { made, child } = supervisor();
    made.start();
    child().start();
    const stopping = made.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    await stopping;
    expect(child().killed).toBe(1);
  });

  it('does not come back when it was to stop while it waited', async () => {
    const { made, child } = supervisor();
    made.start();
    child().emit('exit', 1);
    await made.stop();
    vi.advanceTimersByTime(60_000);
    expect(children).toHaveLength(1);
  });

  it('hears that the machine was asleep', () => {
    const { made, child } = supervisor();
    made.wake();
    made.start();
    child().start();
    made.wake();
    expect(child().messages).toEqual(['wake']);
  });
});

describe('a server of the same data that another app runs', () => {
  const elsewhere = { type: 'server-elsewhere', origin: 'http://127.0.0.1:4870' };

  it('is used until it ends, and then an own one is started', async () => {
    const { made, child } = supervisor();
    made.start();
    child().emit('message', elsewhere);
    child().emit('exit', REFUSED);
    expect([made.state().kind, made.origin()]).toEqual(['elsewhere', elsewhere.origin]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(children).toHaveLength(1);
    isAnswering = false;
    await vi.advanceTimersByTimeAsync(10_000);
    isAnswering = true;
    expect([children.length, made.state().kind]).toEqual([2, 'starting']);
    child().start();
    expect(made.state().kind).toBe('running');
  });

  it('is left alone when the app ends', async () => {
    const { made, child } = supervisor();
    made.start();
    child().emit('message', elsewhere);
    child().emit('exit', REFUSED);
    await made.stop();
    isAnswering = false;
    await vi.advanceTimersByTimeAsync(60_000);
    isAnswering = true;
    expect([made.state(), children.length]).toEqual([{ kind: 'stopped' }, 1]);
  });
});
