/** How somebody writes; a number is how often. */
export interface Habit {
  readonly user: string;
  readonly letters: 'as they are' | 'lower' | 'upper';
  readonly alias: 'none' | 'bare' | 'as' | 'quoted';
  readonly joins: readonly ('on' | 'using' | 'comma' | 'within')[];
  readonly forms: readonly ('plain' | 'cte' | 'subquery' | 'around' | 'union' | 'window')[];
  readonly when: readonly ('where' | 'case' | 'filter')[];
  /** The chance that an aggregate stands in COALESCE, ROUND or a cast. */
  readonly wrapped: number;
  readonly several: number;
  readonly looks: number;
  readonly named: number;
  readonly schema: number;
}

export const HABITS: readonly Habit[] = [
  {
    user: 'ada',
    letters: 'as they are',
    alias: 'as',
    joins: ['on'],
    forms: ['plain', 'cte', 'plain'],
    when: ['where', 'case'],
    wrapped: 0.15,
    several: 0.15,
    looks: 0.05,
    named: 0.95,
    schema: 0,
  },
  {
    user: 'ben',
    letters: 'lower',
    alias: 'none',
    joins: ['comma', 'comma', 'within'],
    forms: ['plain'],
    when: ['where', 'where', 'case'],
    wrapped: 0.05,
    several: 0.05,
    looks: 0.2,
    named: 0.4,
    schema: 0,
  },
  {
    user: 'cleo',
    letters: 'lower',
    alias: 'bare',
    joins: ['using', 'using', 'on'],
    forms: ['plain', 'plain', 'window'],
    when: ['filter'],
    wrapped: 0.2,
    several: 0.5,
    looks: 0.05,
    named: 0.9,
    schema: 0.1,
  },
  {
    user: 'dev',
    letters: 'as they are',
    alias: 'bare',
    joins: ['on', 'within'],
    forms: ['subquery', 'around', 'plain'],
    when: ['where', 'case', 'filter'],
    wrapped: 0.6,
    several: 0.2,
    looks: 0.05,
    named: 0.85,
    schema: 0,
  },
  {
    user: 'eli',
    letters: 'lower',
    alias: 'bare',
    joins: ['on', 'using'],
    forms: ['cte', 'cte', 'around', 'window'],
    when: ['where', 'case', 'filter'],
    wrapped: 0.2,
    several: 0.3,
    looks: 0.05,
    named: 0.9,
    schema: 0.2,
  },
  {
    user: 'fay',
    letters: 'upper',
    alias: 'bare',
    joins: ['within', 'within', 'on', 'comma'],
    forms: ['plain', 'subquery'],
    when: ['where', 'case'],
    wrapped: 0.1,
    several: 0.1,
    looks: 0.15,
    named: 0.7,
    schema: 0,
  },
  {
    user: 'gus',
    letters: 'as they are',
    alias: 'bare',
    joins: ['on'],
    forms: ['union', 'window', 'plain', 'around'],
    when: ['where', 'filter'],
    wrapped: 0.3,
    several: 0.2,
    looks: 0.05,
    named: 0.8,
    schema: 0.8,
  },
  {
    user: 'hana',
    letters: 'as they are',
    alias: 'quoted',
    joins: ['on'],
    forms: ['plain', 'subquery'],
    when: ['case', 'where'],
    wrapped: 0.3,
    several: 0.25,
    looks: 0.3,
    named: 0.6,
    schema: 0.5,
  },
];

/** Keywords and names outside quotes in the letters of somebody. */
export const inLetters = (sql: string, letters: Habit['letters']): string =>
  letters === 'as they are'
    ? sql
    : sql
        .split(/('[^']*'|"[^"]*")/)
        .map((piece, at) => (at % 2 === 1 ? piece : letters === 'lower' ? piece.toLowerCase() : piece.toUpperCase()))
        .join('');
