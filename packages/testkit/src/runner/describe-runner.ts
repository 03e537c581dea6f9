import type { Jobs, Runner } from '@askema/core';
import { describe, test } from 'vitest';
import { mayFail } from '../model/suite/describe-model.ts';
import type { RunnerCase, RunnerStoreFactory } from './runner-bench.ts';
import { RUNNER_CASES } from './runner-cases.ts';

/** The cases of the suite. */
export type RunnerCaseId = keyof typeof RUNNER_CASES;

/** What `describeRunner` takes beside the runner. */
export interface DescribeRunnerOptions {
  /** What the runner cannot do, and why. A case named here that passes fails the suite. */
  readonly expectedFailures?: Partial<Record<RunnerCaseId, string>> | undefined;
  /** Of each case. Default: 60,000. */
  readonly timeoutMs?: number | undefined;
}

/**
 * The conformance suite of core's Runner port, for a vitest file: results, restarts, steps, signals, cancelling and
 * closing, with jobs that begin and end as the case says.
 */
export function describeRunner(name: string, factory: RunnerStoreFactory, options: DescribeRunnerOptions = {}): void {
  describe(`runner: ${name}`, () => {
    test.each(Object.entries<RunnerCase>(RUNNER_CASES))(
      '%s',
      async (id, run) => {
        await mayFail(id, options.expectedFailures?.[id as RunnerCaseId], async () => {
          const store = await factory();
          const opened: Runner<Jobs>[] = [];
          try {
            await run({
              async open(jobs, settings) {
                const runner = await store.open(jobs, settings);
                opened.push(runner as unknown as Runner<Jobs>);
                return runner;
              },
            });
          } finally {
            for (const runner of opened) await runner.close();
          }
        });
      },
      options.timeoutMs ?? 60_000,
    );
  });
}
