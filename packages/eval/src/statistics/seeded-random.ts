import type { Random } from '@askema/core';

/**
 * Numbers in [0, 1) that are the same for the same seed on every machine. For resampling only, never for secrets.
 * Source: the generator SplitMix32, as a 32-bit finaliser over a Weyl sequence.
 */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    mixed ^= mixed >>> 15;
    return (mixed >>> 0) / 4_294_967_296;
  };
}
