/**
 * Exploration skeletons that every dialect here shares: SELECT, GROUP BY and LIMIT as all of these engines read them.
 */
export const COMMON_PROBES = {
  sample:
    'SELECT DISTINCT {attribute} FROM (SELECT {attribute} FROM {relation} WHERE {attribute} IS NOT NULL LIMIT 10000) AS sampled LIMIT {limit}',
  distinct: 'SELECT DISTINCT {attribute} FROM {relation} LIMIT {limit}',
  frequent:
    'SELECT {attribute}, COUNT(*) AS occurrences FROM {relation} GROUP BY {attribute} ORDER BY occurrences DESC LIMIT {limit}',
  range:
    'SELECT MIN({attribute}), MAX({attribute}), COUNT(*), COUNT({attribute}), COUNT(DISTINCT {attribute}) FROM {relation}',
} as const;
