export type { ChartChoice } from './choice/chart-choice.ts';
export { chartOf } from './choice/chart-of.ts';
export type { ChartOptions } from './choice/choice-facts.ts';
export { type DescribeOptions, describeChart } from './describe/describe-chart.ts';
export type { FactOptions } from './facts/column-facts.ts';
export { type ChartSpec, chartSpecSchema } from './spec/chart-spec.ts';
export { type CheckSpecOptions, checkChartSpec } from './spec/check-chart-spec.ts';
export { type DrawSvgOptions, drawSvg } from './svg/draw-svg.ts';
export type { ChartTheme } from './svg/theme.ts';
