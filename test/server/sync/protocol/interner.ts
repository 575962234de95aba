/** Gives equal plain data one object and one number, so that states are compared by numbers and steps done once. */
export class Interner {
  readonly #byText = new Map<string, object>();
  readonly #numbers = new WeakMap<object, number>();

  /** The one object that stands for all that are equal to this. `onNew` sees each the first time. */
  one<T extends object>(value: T, onNew?: (value: T) => void): T {
    if (this.#numbers.has(value)) return value;
    const text = JSON.stringify(value);
    const known = this.#byText.get(text);
    // What has the same text has the same shape.
    if (known !== undefined) return known as T;
    onNew?.(value);
    this.#byText.set(text, value);
    this.#numbers.set(value, this.#byText.size);
    return value;
  }

  /** The number of an object that `one` returned. */
  number(value: object): number {
    const number = this.#numbers.get(value);
    if (number === undefined) throw new Error('The object was not interned.');
    return number;
  }
}

/** Numbers for pairs of numbers, and so for lists of them: a state is told from others by one number, which is quick to look up. */
export class PairNumbers {
  readonly #numbers = new Map<number, number>();

  /** The number of the pair, above 0. */
  of(one: number, other: number): number {
    const pair = one * 2 ** 26 + other;
    const known = this.#numbers.get(pair);
    if (known !== undefined) return known;
    const number = this.#numbers.size + 1;
    this.#numbers.set(pair, number);
    return number;
  }
}
