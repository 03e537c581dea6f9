import type { Metric } from './metric.ts';

/** 1 where the candidate's statement ran to its end, 0 where it failed; does not apply where there is no statement. */
export const validSql: Metric = {
  id: 'valid-sql',
  title: 'Valid SQL',
  score: ({ sql, result }) => (sql === undefined ? undefined : result === undefined ? 0 : 1),
};
