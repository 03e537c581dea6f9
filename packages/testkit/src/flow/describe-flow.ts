import { describe, test } from 'vitest';
import { mayFail } from '../model/suite/describe-model.ts';
import { type FlowPipelineFactory, type FlowScript, flowBench } from './flow-bench.ts';
import { FLOW_CASES, type FlowCase } from './flow-cases.ts';

/** The cases of the suite. */
export type FlowCaseId = keyof typeof FLOW_CASES;

/** What `describeFlow` takes beside the pipeline. */
export interface DescribeFlowOptions extends FlowScript {
  /** What the flow cannot do, and why. A case named here that passes fails the suite. */
  readonly expectedFailures?: Partial<Record<FlowCaseId, string>> | undefined;
  /** Of each case. Default: 60,000. */
  readonly timeoutMs?: number | undefined;
}

/**
 * The conformance suite of flows of text2sql, for a vitest file:
 *
 * ```ts
 * describeFlow('mine', (setup) => createText2Sql({ ...setup, flow: mine({ words: 3 }) }), {
 *   adapter: () => sqlite({ file: 'shop.sqlite' }),
 *   question: 'How many customers are there?',
 *   reply: (request) => ({ json: … }),
 * });
 * ```
 *
 * Resuming after each step, budgets, cancelling, outages, replies that are nonsense or hostile, states that are plain
 * JSON, journals of other versions.
 */
export function describeFlow(name: string, factory: FlowPipelineFactory, options: DescribeFlowOptions): void {
  const bench = flowBench(factory, options);
  describe(`flow: ${name}`, () => {
    test.each(Object.entries<FlowCase>(FLOW_CASES))(
      '%s',
      (id, run) => mayFail(id, options.expectedFailures?.[id as FlowCaseId], () => run(bench)),
      options.timeoutMs ?? 60_000,
    );
  });
}
