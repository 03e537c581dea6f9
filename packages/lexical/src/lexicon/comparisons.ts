import { phraseTable } from './phrase-table.ts';

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

const group = (value: Comparison, phrases: string): (readonly [string, Comparison])[] =>
  phrases.split('|').map((phrase) => [phrase, value]);

/** Between an attribute and a value. */
export const COMPARATORS = phraseTable<Comparison>([
  ...group(
    '>',
    'more than|greater than|larger than|higher than|bigger than|over|above|exceeding|exceeds|exceed|beyond|in excess of|>|bigger|higher|greater|better than|longer than|later than',
  ),
  ...group(
    '>=',
    'at least|no less than|not less than|no fewer than|greater than or equal to|more than or equal to|larger than or equal to|higher than or equal to|minimum of|a minimum of|>=|not below|not under|not lower than|not smaller than|at the least|equal to or greater than|equal or more than|equal to or more than|equal or greater than',
  ),
  ...group(
    '<',
    'less than|fewer than|lower than|smaller than|under|below|<|shorter than|earlier than|not reaching|lesser than',
  ),
  ...group(
    '<=',
    'at most|no more than|not more than|up to|less than or equal to|fewer than or equal to|lower than or equal to|smaller than or equal to|maximum of|a maximum of|<=|not over|not above|not exceeding|no greater than|not greater than|not higher than|no higher than|no larger than|not larger than|equal to or less than|equal or less than',
  ),
  ...group('=', 'equal to|equals|equal|exactly|=|==|of exactly|precisely|the same as'),
  ...group(
    '<>',
    'not equal to|other than|different from|different than|!=|<>|except|except for|not the same as|unequal to',
  ),
]);

/** Behind a number: "5 or more". */
export const POSTFIX_COMPARATORS = phraseTable<Comparison>([
  ...group(
    '>=',
    'or more|or above|or higher|or greater|or older|or over|or larger|or longer|or better|or later|and above|and more|and over|and older|and higher|and up|or taller|or heavier|plus|+',
  ),
  ...group(
    '<=',
    'or less|or fewer|or below|or lower|or under|or younger|or smaller|or shorter|or earlier|and below|and under|and younger|and less|or lighter',
  ),
]);

/** In front of a date, a year or a time. */
export const TIME_COMPARATORS = phraseTable<Comparison>([
  ...group('>', 'after|later than|past|following|subsequent to'),
  ...group('>=', 'since|starting from|starting in|from|on or after|as of|no earlier than|not before|beginning in'),
  ...group('<', 'before|prior to|earlier than|until before|preceding'),
  ...group('<=', 'until|till|up to|on or before|no later than|not after|by'),
  ...group(
    '=',
    'in|on|during|in the year|in year|for|for the year|dated|at|within|of|in the year of|in the years|from the year|from year|throughout',
  ),
]);

/** The comparison that holds exactly where the given one does not. */
export function negateComparison(comparison: Comparison): Comparison {
  const negations: Readonly<Record<Comparison, Comparison>> = {
    '=': '<>',
    '<>': '=',
    '<': '>=',
    '>=': '<',
    '>': '<=',
    '<=': '>',
  };
  return negations[comparison];
}
