import type { Metric } from './metric.ts';

/** Spider's exact set match of components, without values. */
export const spiderExactMatch: Metric = {
  id: 'spider-exact-match',
  title: 'Spider exact match',
  score: () => undefined,
};
