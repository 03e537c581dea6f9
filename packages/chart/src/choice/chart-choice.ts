import type { ChartSpec } from '../spec/chart-spec.ts';
import type { ChoiceFacts } from './choice-facts.ts';

/** How a result is shown. */
export interface ChartChoice {
  /** What a person sees first. The table is always there as well. */
  readonly first: 'chart' | 'table' | 'number';
  /** What is drawn first; undefined where the table is. */
  readonly spec?: ChartSpec | undefined;
  /** What may be drawn of it, best first, `spec` among them. A model or a person chooses among these. */
  readonly offered: readonly ChartSpec[];
  /** The rule that decided: an id of the table in docs/guide/charts.md. */
  readonly rule: string;
  /** Why, in a sentence, with what a chart would leave out. */
  readonly reason: string;
}

/** What a rule says before it is known whether a chart would leave something out. */
export interface Proposal {
  readonly first: ChartChoice['first'];
  readonly offered: readonly ChartSpec[];
  readonly reason: string;
}

export interface ChartRule {
  readonly id: string;
  /** When it decides, in words. */
  readonly when: string;
  /** A question, or the columns of a result, that it decides. */
  readonly example: string;
  /** Undefined where it does not decide. */
  propose(facts: ChoiceFacts): Proposal | undefined;
}
