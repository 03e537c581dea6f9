/** Numbers that look random and are the same on every machine. */
export interface SeededRandom {
  /** In [0, 1). */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number;
  pick<T>(items: readonly T[]): T;
  chance(probability: number): boolean;
}

/** A xorshift generator of 32 bits (G. Marsaglia, Xorshift RNGs, 2003, with the shifts 13, 17, 5). */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const integer = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    integer,
    pick(items) {
      const item = items[integer(0, items.length - 1)];
      if (item === undefined) throw new Error('Nothing to pick from an empty list.');
      return item;
    },
    chance: (probability) => next() < probability,
  };
}
