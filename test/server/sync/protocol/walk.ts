import { healOf } from './explore.ts';
import type { State } from './machines.ts';
import { Model, type Step } from './model.ts';
import type { Protocol } from './protocol-table.ts';
import type { Scope } from './scope.ts';
import { steps } from './steps.ts';

/**
 * One way through a scope that is too large to be explored, chosen by a seed, checked like every state of an
 * exploration. Returns the broken promise with the way to it in words, or null.
 */
export function walk(scope: Scope, protocol: Protocol, seed: number, length: number): string | null {
  const model = new Model(scope, protocol);
  const heal = healOf(model);
  const next = randomFrom(seed);
  const trace: string[] = [];
  let state: State = model.start();
  try {
    for (let count = 0; count < length; count += 1) {
      const following: Step[] = [...steps(model, state)];
      const chosen = following[Math.floor(next() * following.length)];
      if (!chosen) break;
      trace.push(chosen.label);
      model.doing = chosen.label;
      state = chosen.state;
      if (count % 5 === 0) heal(state);
    }
    heal(state);
    return null;
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    return [...trace, `(${model.doing})`, cause.message].join('\n');
  }
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
