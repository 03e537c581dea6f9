import type { Token } from './token.ts';

const SMALL: Readonly<Record<string, number>> = {
  zero: 0,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  dozen: 12,
};

const SCALES: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1_000,
  million: 1_000_000,
  billion: 1_000_000_000,
  k: 1_000,
};

export interface NumberPhrase {
  readonly value: number;
  readonly end: number;
}

/**
 * The number that begins at this token, in digits or words, up to "two million"; "twenty five" and "3 thousand" too.
 */
export function readNumber(tokens: readonly Token[], at: number): NumberPhrase | undefined {
  const first = tokens[at];
  if (first === undefined) return undefined;
  let value = first.kind === 'number' ? first.value : first.kind === 'word' ? own(SMALL, first.lower) : undefined;
  if (value === undefined || !Number.isFinite(value)) return undefined;
  let end = at + 1;
  const next = own(SMALL, tokens[end]?.lower ?? '');
  if (first.kind === 'word' && value >= 20 && value % 10 === 0 && next !== undefined && next > 0 && next < 10) {
    value += next;
    end += 1;
  }
  for (let scale = own(SCALES, tokens[end]?.lower ?? ''); scale !== undefined; ) {
    value *= scale;
    end += 1;
    scale = own(SCALES, tokens[end]?.lower ?? '');
  }
  return { value, end };
}

function own(record: Readonly<Record<string, number>>, key: string): number | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
