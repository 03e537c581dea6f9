import {
  type AdapterSpec,
  type CallLimitsOptions,
  type ExecuteOptions,
  type QueryExecutor,
  type ResultEvent,
  throwIfAborted,
  throwIfNotWritable,
} from '@askema/core';

/**
 * An executor of `run`, which gives the events of one statement within the limits. What was not granted and what is
 * aborted already is refused before it is asked.
 *
 * @param opening how to open for writing, for `throwIfNotWritable` of core: "it with `shop({ access: 'write' })`".
 */
export function executorOf(
  options: Pick<AdapterSpec, 'name' | 'access'>,
  opening: string,
  run: (sql: string, execute: ExecuteOptions, limits: CallLimitsOptions) => AsyncIterable<ResultEvent>,
): QueryExecutor {
  return {
    async *execute(sql, execute) {
      const { access, timeoutMs, context } = execute;
      throwIfNotWritable(options, access, opening);
      throwIfAborted(context.signal, 'The query');
      yield* run(sql, execute, { what: 'The query', sql, timeoutMs, signal: context.signal });
    },
  };
}
