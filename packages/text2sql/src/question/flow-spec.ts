import type { Access, Compression, Flow, FlowGraph, FlowSteps, LanguageModel, OutcomeBase, Solver } from '@askema/core';
import type { QuestionDeps } from './question-deps.ts';
import type { QuestionState } from './question-state.ts';

/** The state of a flow: what all flows share, and what this one keeps, its slice. */
export type FlowState<Slice extends object> = QuestionState & { flow: Slice };

/** What the steps of a flow work with: what all flows share, and what this one has opened for the run. */
export type FlowDeps<Own> = QuestionDeps & { readonly own: Own };

/** What a flow adds to the outcome of a run. */
export interface FlowReport extends Partial<Pick<OutcomeBase, 'inspection'>> {
  /** The best statement so far. Where a budget ended the run without a result it is run, for reading. */
  readonly bestSql?: string | undefined;
  /** True where parallel steps broke the run off and all that they spent stands in the state by now. */
  readonly isSpentRecorded?: boolean | undefined;
}

/** What a flow needs of whoever answers: to be a language model, or to support these tasks, by their ids. */
export type FlowNeeds = 'model' | readonly string[];

/**
 * A flow that answers questions, as `createText2Sql` takes it: steps, and all that has to be known of them. {@link
 * text2SqlFlow} makes one. What its slice and its own dependencies are is known to itself alone, see {@link FlowSpec}.
 */
export interface Text2SqlFlow {
  /**
   * Steps and routes. Raise the `version` when the slice gets another form: runs that were recorded before are refused
   * then (`FLOW_CHANGED`).
   */
  readonly flow: {
    readonly kind: 'flow';
    readonly name: string;
    readonly version: number;
    readonly actions: readonly string[];
    readonly graph: FlowGraph;
  };
  /** `read`: the flow is refused with `access: 'write'`. */
  readonly access: Access;
  readonly needs: FlowNeeds;
  /** Models that it asks beside that of `createText2Sql`: a budget has to have prices for them. */
  readonly models?: readonly (LanguageModel | Solver)[] | undefined;
  /**
   * The default of `knowledgeFirst`: questions that knowledge reads whole are answered without a model. Default: only
   * where nobody reads a prompt.
   */
  readonly knowledgeFirst?: boolean | undefined;
  /** False where a statement is put together from parts, in which `metric(…)` has no place. Default: true. */
  readonly metricCalls?: boolean | undefined;
  /** The defaults of `sampleValues` and `compression`. */
  readonly sampleValues?: number | undefined;
  readonly compression?: Compression | undefined;
  /**
   * The slice at the start of a run: plain data. It is recorded, so what decides the course of a run (limits, switches)
   * belongs into it.
   */
  begin(): object;
  /**
   * What the steps work with in one run, beside the shared dependencies. `slice` is the one that the run began with,
   * also when it is resumed.
   */
  open(base: QuestionDeps, slice: never): unknown;
  /** What the outcome says beside the shared state. */
  report?(state: never): FlowReport;
}

/** A {@link Text2SqlFlow} with its types: what an author writes, and what can be taken apart and put together anew. */
export interface FlowSpec<
  Slice extends object,
  Own,
  Action extends string = string,
  Steps extends FlowSteps = FlowSteps,
> extends Text2SqlFlow {
  readonly flow: Flow<FlowState<Slice>, FlowDeps<Own>, Action, Steps>;
  begin(): Slice;
  open(base: QuestionDeps, slice: Readonly<Slice>): Own;
  report?(state: Readonly<FlowState<Slice>>): FlowReport;
}

/**
 * A flow of one's own, or one of ours with other steps:
 *
 * ```ts
 * const base = plain();
 * const limited = text2SqlFlow({ ...base, flow: base.flow.before('execute-sql', addLimit) });
 * ```
 */
export function text2SqlFlow<Slice extends object, Own, Action extends string, Steps extends FlowSteps>(
  spec: FlowSpec<Slice, Own, Action, Steps>,
): FlowSpec<Slice, Own, Action, Steps> {
  return spec;
}

/** True for what {@link text2SqlFlow} makes. */
export function isText2SqlFlow(value: unknown): value is Text2SqlFlow {
  const { flow, access, needs, begin, open } = (value ?? {}) as Partial<Text2SqlFlow>;
  return (
    flow?.kind === 'flow' &&
    (access === 'read' || access === 'write') &&
    (needs === 'model' || Array.isArray(needs)) &&
    typeof begin === 'function' &&
    typeof open === 'function'
  );
}
