import type { ChartChoice } from '../choice/chart-choice.ts';
import type { resultOf } from './results.ts';

export interface ChoiceCase {
  readonly rule: string;
  readonly result: ReturnType<typeof resultOf>;
  readonly sql?: string;
  readonly question?: string;
  /** As {@link shownOf} writes it. */
  readonly shows: string;
}

/** What is first, then what is offered: `table: stacked bar value by 1 top 20`. */
export function shownOf({ first, offered }: ChartChoice): string {
  const charts = offered.map(({ kind, sort, series, layout, limit }) =>
    [layout, kind, kind === 'number' ? '' : sort, series !== undefined && `by ${series}`, limit && `top ${limit}`]
      .filter(Boolean)
      .join(' '),
  );
  return [first, charts.join(', ')].filter(Boolean).join(': ');
}
