/** What a condition of an action may test. `holds`: its left side stands as a condition by itself. */
export const CONDITION_OPERATORS = [
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  'like',
  'not like',
  'in',
  'not in',
  'between',
  'is null',
  'is not null',
  'exists',
  'not exists',
  'holds',
] as const;
