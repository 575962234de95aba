export interface Random {
  /** A whole number from `from` to `to`, both included. */
  integer(from: number, to: number): number;
  /** One of the list. */
  pick<Value>(values: readonly Value[]): Value;
  /** The list in another order. */
  shuffle<Value>(values: readonly Value[]): Value[];
  /** Around `mean`, mostly near it and never further away than `spread`. */
  around(mean: number, spread: number): number;
}

/** The same seed gives the same numbers on every machine: each part of the story draws from a seed of its own. */
export function createRandom(seed: string): Random {
  let state = hash(seed);
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    integer,
    pick: values => values[integer(0, values.length - 1)] as (typeof values)[number],
    shuffle: values =>
      values
        .map(value => ({ value, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ value }) => value),
    around: (mean, spread) => mean + ((next() + next() + next() + next()) / 2 - 1) * spread,
  };
}

/** FNV-1a over the code units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value;
}
