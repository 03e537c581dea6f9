import type { Metric } from './metric.ts';

/** As BIRD judges: the sets of rows are equal. */
export const birdEx: Metric = {
  id: 'bird-ex',
  title: 'BIRD EX',
  score: () => undefined,
};
