import { describe, expect, it } from 'vitest';
import { createTurns, type Turn } from '../../../server/identity/turns.ts';

/** Work that ends when it is told to, in the order in which it began. */
function bench() {
  const turns = createTurns();
  const begun: string[] = [];
  const refused: string[] = [];
  const running = new Map<string, () => void>();
  const ask = (name: string, turn: Turn) => {
    const work = () =>
      new Promise<void>(resolve => {
        begun.push(name);
        running.set(name, resolve);
      });
    turns(turn, work).catch((error: { code: string }) => refused.push(`${name}: ${error.code}`));
  };
  /** Ends one that runs, and lets what follows begin. */
  const end = async (name: string) => {
    running.get(name)?.();
    running.delete(name);
    await new Promise(resolve => setImmediate(resolve));
  };
  const settle = () => new Promise(resolve => setImmediate(resolve));
  return { ask, end, settle, begun, refused, running };
}

describe('turns', () => {
  it('keep a place for who is known, whatever strangers ask', async () => {
    const { ask, end, settle, begun } = bench();
    for (const name of ['s1', 's2', 's3']) ask(name, { stranger: 'far' });
    await settle();
    expect(begun).toEqual(['s1']);
    ask('known', 'known');
    await settle();
    expect(begun).toEqual(['s1', 'known']);
    await end('known');
    // The other place is not for strangers.
    expect(begun).toEqual(['s1', 'known']);
    await end('s1');
    expect(begun).toEqual(['s1', 'known', 's2']);
  });

  it('let who is known go first', async () => {
    const { ask, end, settle, begun } = bench();
    for (const name of ['k1', 'k2']) ask(name, 'known');
    ask('stranger', { stranger: 'far' });
    ask('k3', 'known');
    await settle();
    await end('k1');
    expect(begun).toEqual(['k1', 'k2', 'k3']);
    await end('k2');
    expect(begun).toEqual(['k1', 'k2', 'k3', 'stranger']);
  });

  it('go round the places: who asks often waits for himself', async () => {
    const { ask, end, settle, begun } = bench();
    for (const name of ['a1', 'a2', 'a3']) ask(name, { stranger: 'a' });
    ask('b1', { stranger: 'b' });
    ask('c1', { stranger: 'c' });
    await settle();
    for (const name of ['a1', 'a2', 'b1', 'c1']) await end(name);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3']);
  });

  it('are bounded, for a place and for all strangers, and never for those who are known', async () => {
    const { ask, settle, refused, begun } = bench();
    for (let time = 0; time < 18; time += 1) ask('a', { stranger: 'a' });
    await settle();
    expect(refused).toEqual(['a: unavailable']);
    for (let time = 0; time < 60; time += 1) ask(`p${time}`, { stranger: `p${time}` });
    await settle();
    expect(refused).toHaveLength(1 + (16 + 60 - 64));
    ask('known', 'known');
    await settle();
    expect(begun.at(-1)).toBe('known');
    expect(refused).toHaveLength(13);
  });

  it('go on after work that failed', async () => {
    const turns = createTurns();
    const failed = turns({ stranger: 'a' }, () => Promise.reject(new Error('no')));
    const next = turns({ stranger: 'a' }, async () => 'done');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('done');
  });
});
