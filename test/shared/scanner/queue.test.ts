import { describe, expect, it, vi } from 'vitest';
import { createScanQueue } from '../../../shared/scanner/queue.ts';

/** Work that the test finishes by hand, in whatever order it likes. */
function manualWork() {
  const open = new Map<string, { resolve: (result: string) => void; reject: (error: Error) => void }>();
  const log: string[] = [];
  return {
    open,
    log,
    handle: (input: string) => {
      log.push(`handle ${input}`);
      return new Promise<string>((resolve, reject) => open.set(input, { resolve, reject }));
    },
    undo: async (result: string) => {
      log.push(`undo ${result}`);
    },
  };
}

const settled = () => new Promise<void>(resolve => setImmediate(resolve));

describe('createScanQueue', () => {
  it('handles 200 scans in order, one at a time, and drops none', async () => {
    const seen: number[] = [];
    let running = 0;
    const queue = createScanQueue<number, number>({
      handle: async input => {
        running += 1;
        expect(running).toBe(1);
        await settled();
        seen.push(input);
        running -= 1;
        return input;
      },
      undo: async () => {},
      keep: 1000,
    });
    const expected = Array.from({ length: 200 }, (_, index) => index);
    for (const input of expected) queue.push(input);
    await queue.idle();
    expect(seen).toEqual(expected);
    expect(queue.entries().map(({ id, status }) => [id, status])).toEqual(
      expected.map(index => [index + 1, 'done']),
    );
  });

  it('keeps one that failed, with its error, and goes on', async () => {
    const queue = createScanQueue<string, string>({
      handle: async input => {
        if (input === 'bad') throw new Error('no such part');
        return input.toUpperCase();
      },
      undo: async () => {},
    });
    for (const input of ['a', 'bad', 'b']) queue.push(input);
    await queue.idle();
    expect(queue.entries().map(({ status, result }) => [status, result])).toEqual([
      ['done', 'A'],
      ['failed', null],
      ['done', 'B'],
    ]);
    expect(queue.entries()[1]?.error).toEqual(new Error('no such part'));
  });

  it('undoes the last scan, then the one before it', async () => {
    const { log, undo } = manualWork();
    const queue = createScanQueue<string, string>({ handle: async input => input.toUpperCase(), undo });
    queue.push('a');
    queue.push('b');
    await queue.idle();
    expect(await queue.undoLast()).toMatchObject({ input: 'b', status: 'undone' });
    expect(await queue.undoLast()).toMatchObject({ input: 'a', status: 'undone' });
    expect(await queue.undoLast()).toBeNull();
    expect(log).toEqual(['undo B', 'undo A']);
  });

  it('undoes a scan whose work answers nothing, once, however often it is asked', async () => {
    const undo = vi.fn(async () => {});
    const queue = createScanQueue<string, void>({ handle: async () => {}, undo });
    queue.push('a');
    await queue.idle();
    const answers = await Promise.all([queue.undoLast(), queue.undoLast()]);
    expect(answers.map(answer => answer?.status)).toEqual(['undone', 'undone']);
    expect(undo).toHaveBeenCalledExactlyOnceWith(undefined, 'a');
  });

  it('takes out one that waits, without handling it', async () => {
    const { open, log, handle, undo } = manualWork();
    const queue = createScanQueue({ handle, undo });
    queue.push('a');
    queue.push('b');
    await settled();
    expect(await queue.undoLast()).toMatchObject({ input: 'b', status: 'undone' });
    open.get('a')?.resolve('A');
    await queue.idle();
    expect(log).toEqual(['handle a']);
    expect(queue.entries().map(({ status }) => status)).toEqual(['done', 'undone']);
  });

  it('finishes one that is being handled before it undoes it, and what came meanwhile after that', async () => {
    const { open, log, handle, undo } = manualWork();
    const queue = createScanQueue({ handle, undo });
    queue.push('a');
    await settled();
    const undone = queue.undoLast();
    queue.push('b');
    await settled();
    expect(log).toEqual(['handle a']);
    open.get('a')?.resolve('A');
    expect(await undone).toMatchObject({ input: 'a', status: 'undone' });
    await settled();
    open.get('b')?.resolve('B');
    await queue.idle();
    expect(log).toEqual(['handle a', 'undo A', 'handle b']);
  });

  it('has nothing to undo when the last scan failed', async () => {
    const { log, undo } = manualWork();
    const queue = createScanQueue<string, string>({
      handle: async input => {
        if (input === 'b') throw new Error('no');
        return input;
      },
      undo,
    });
    queue.push('a');
    queue.push('b');
    await queue.idle();
    expect(await queue.undoLast()).toBeNull();
    expect(log).toEqual([]);
  });

  it('says when a scan could not be undone, and leaves it done', async () => {
    const queue = createScanQueue<string, string>({
      handle: async input => input,
      undo: async () => {
        throw new Error('already shipped');
      },
    });
    queue.push('a');
    await queue.idle();
    expect(await queue.undoLast()).toMatchObject({ status: 'done', error: new Error('already shipped') });
  });

  it('tells its listeners, gives the same array until something changes, and keeps so many', async () => {
    const queue = createScanQueue<number, number>({
      handle: async input => input,
      undo: async () => {},
      keep: 2,
    });
    const listener = vi.fn();
    const end = queue.subscribe(listener);
    expect(queue.entries()).toBe(queue.entries());
    for (const input of [1, 2, 3]) queue.push(input);
    await queue.idle();
    // Each is pushed, worked on and done.
    expect(listener).toHaveBeenCalledTimes(9);
    expect(queue.entries().map(({ input }) => input)).toEqual([2, 3]);
    end();
    queue.push(4);
    await queue.idle();
    expect(listener).toHaveBeenCalledTimes(9);
  });
});
