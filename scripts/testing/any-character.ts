import fc from 'fast-check';

/** Half of a surrogate pair is no character. */
const SURROGATES = { from: 0xd800, count: 0x800 };

/**
 * Every code point, for `fc.string({ unit: anyCharacter })`. It is what `unit: 'binary'` is, which lists all of them
 * first: two seconds of each process that runs tests.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((at) => String.fromCodePoint(at < SURROGATES.from ? at : at + SURROGATES.count));
