import type { ChartSpec } from '../spec/chart-spec.ts';

/** The second column over the first, as each kind draws it. */
export const bar: ChartSpec = { kind: 'bar', x: [0], y: [1], sort: 'given', format: 'plain', title: 'Orders' };
export const line: ChartSpec = { ...bar, kind: 'line', sort: 'x' };
export const dots: ChartSpec = { ...bar, kind: 'scatter' };
