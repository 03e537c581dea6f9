import type { Metric } from './metric.ts';

/** The soft F1 of BIRD's mini-dev set. */
export const birdSoftF1: Metric = {
  id: 'bird-soft-f1',
  title: 'BIRD soft F1',
  score: () => undefined,
};
