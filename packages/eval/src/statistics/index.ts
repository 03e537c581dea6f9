export { type BootstrapOptions, bootstrapMean, pairedBootstrap } from './bootstrap.ts';
export { holmAdjust } from './holm.ts';
export { DEFAULT_LEVEL, type Estimate, type Interval } from './interval.ts';
export { exactMcNemar } from './mcnemar.ts';
export { quantile } from './quantile.ts';
export { wilsonInterval } from './wilson-interval.ts';
