import { invalidOption } from '@askema/core';
import { digitsOf, type Numeric } from '../facts/numeric.ts';
import type { ChartSpec } from '../spec/chart-spec.ts';

/** Writes numbers of one chart. Digits go to Intl as text: no big integer and no decimal loses one. */
export interface NumberText {
  /** With all digits. */
  exact(value: Numeric): string;
  /** As short as a label wants it: rounded, millions in words. */
  short(value: Numeric): string;
  /** A mark of an axis; `step` is the distance to the next. */
  tick(value: number, step: number): string;
  /** A place along an axis of numbers, where 1970 may be a year. */
  place(value: number): string;
  count(value: number): string;
}

/** Intl takes no more. */
const MOST_DECIMALS = 100;
/** What comes as `1.7e308` is a float, whose 309 digits say no more. */
const SCIENTIFIC = { notation: 'scientific', maximumSignificantDigits: 17 } as const;
const MILLIONS = 10_000_000;
/** Words for more are not in use. */
const TRILLIONS = 1e15;

/** @throws AskemaError `CONFIG_INVALID` for a locale that Intl does not know how to read */
export function numberText(locale: string, format: ChartSpec['format'] = 'plain'): NumberText {
  const style = format === 'percent' ? ({ style: 'unit', unit: 'percent' } as const) : {};
  const made = new Map<string, Intl.NumberFormat>();
  const formatter = (options: Intl.NumberFormatOptions): Intl.NumberFormat => {
    const key = JSON.stringify(options);
    const known = made.get(key) ?? makeFormat(locale, options);
    made.set(key, known);
    return known;
  };
  const write = (digits: string, options: Intl.NumberFormatOptions): string =>
    formatter({ ...style, ...options })
      .format(digits as Intl.StringNumericLiteral)
      // Marks for running text (`\u061c-٤٠٠`). A label is isolated as a whole.
      .replaceAll(/[\u061c\u200e\u200f]/g, '');
  formatter({});
  return {
    exact: (value) => {
      const digits = digitsOf(value);
      return write(digits, /e/i.test(digits) ? SCIENTIFIC : { maximumFractionDigits: MOST_DECIMALS });
    },
    short: (value) => write(digitsOf(value), shortOptions(Math.abs(value.approximate))),
    tick: (value, step) => write(String(value), tickOptions(value, step)),
    place: (value) => write(String(value), { maximumSignificantDigits: 15, useGrouping: Math.abs(value) >= 10_000 }),
    count: (value) => formatter({}).format(value),
  };
}

function makeFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(locale, options);
  } catch {
    throw invalidOption(`\`locale\` is ${JSON.stringify(locale)}; give a language tag such as 'en', 'nb' or 'ar-EG'.`);
  }
}

function shortOptions(size: number): Intl.NumberFormatOptions {
  if (size >= TRILLIONS) return { notation: 'scientific', maximumSignificantDigits: 4 };
  if (size >= MILLIONS) return { notation: 'compact', maximumSignificantDigits: 4 };
  if (size >= 100) return { maximumFractionDigits: 1 };
  if (size >= 1 || size === 0) return { maximumFractionDigits: 2 };
  return size < 1e-6 ? { notation: 'scientific', maximumSignificantDigits: 3 } : { maximumSignificantDigits: 3 };
}

function tickOptions(value: number, step: number): Intl.NumberFormatOptions {
  const size = Math.abs(value);
  if (size >= TRILLIONS || (size > 0 && step < 1e-6)) return { notation: 'scientific', maximumSignificantDigits: 4 };
  if (step >= 1_000 && size >= 1_000) return { notation: 'compact', maximumSignificantDigits: 4 };
  return { maximumFractionDigits: Math.min(MOST_DECIMALS, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9))) };
}
