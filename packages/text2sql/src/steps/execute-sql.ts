import { randomUUID } from 'node:crypto';
import {
  AskemaError,
  defineStep,
  type QueryResult,
  type SerializedError,
  type StepContext,
  toAskemaError,
} from '@askema/core';
import type { QuestionDeps } from '../question/question-deps.ts';
import type { QuestionState } from '../question/question-state.ts';
import { alignStatement } from './align-statement.ts';
import { findSchema, type SchemaFound, type SchemaQuestion, schemaQuestion, takeSchema } from './get-schema.ts';
import { queryStatement } from './query-statement.ts';
import { type AlignedStatement, keepReadAs } from './read-as.ts';
import { isRefusal, statementError } from './view-result.ts';

/** The task that mends a statement. A solver that does not support it is not shown what failed. */
export const DEBUG_SQL_TASK_ID = 'text2sql.debug-sql';

/** What became of a statement. */
export type ExecutionOutcome =
  | { readonly type: 'result'; readonly result: QueryResult }
  /** A repair may help. */
  | {
      readonly type: 'failed';
      readonly error: SerializedError;
      readonly wasSent: boolean;
      /** The schema as it is now, where the statement was written for one that came from the disk and is out of date. */
      readonly renewed?: SchemaFound | undefined;
    }
  /** Somebody said no: nothing to repair. */
  | { readonly type: 'disapproved' }
  /** A statement that changes data was begun by a process that died: nobody knows whether it was committed. */
  | { readonly type: 'uncertain'; readonly error: SerializedError };

type StatementRun = ExecutionOutcome & {
  readonly isRepairable: boolean;
  readonly aligned?: AlignedStatement | undefined;
};

/**
 * ExecuteSQL: runs the statement under the caps of `deps.limits`. Success ends the flow. A failed execution counts one
 * attempt; while attempts are fewer than the maximum the action is `error_retry`, else the flow ends as `failed` with
 * `finalError`. Where the engine lacks a name because the catalog on disk was out of date, the state gets the new one,
 * and the attempt does not count.
 *
 * With `alignValues` it runs with the values that are stored. Where it fails so, the one that was written stands: what a
 * model sees of it holds no cell.
 *
 * With `access: 'write'` a statement is tried as one that reads first: only what the engine calls no read is shown to
 * `approve` and runs as one that writes. A statement that may not run is told to the model once; the second one ends
 * the flow as `refused`.
 */
export const executeSql = defineStep<QuestionState, QuestionDeps>()({
  name: 'execute-sql',
  actions: ['default', 'error_retry', 'failed'],
  prep: (state) => ({
    sql: state.generatedSql ?? '',
    fingerprint: state.catalogFingerprint,
    about: schemaQuestion(state),
  }),
  exec: async (asked, context): Promise<StatementRun> => {
    const aligned = await alignStatement(asked.sql, context);
    return {
      ...(await withNewSchema(await execute(aligned?.sql ?? asked.sql, context), asked, context)),
      isRepairable: context.deps.solver.supports(DEBUG_SQL_TASK_ID),
      ...(aligned === undefined ? {} : { aligned }),
    };
  },
  post: (state, { sql }, executed) => {
    if (executed.type !== 'failed' || executed.wasSent) state.executions += 1;
    switch (executed.type) {
      case 'result': {
        const ran = executed.aligned?.sql ?? sql;
        keepReadAs(state, executed.aligned);
        state.generatedSql = ran;
        return acceptResult(state, ran, executed.result);
      }
      case 'failed':
        if (executed.renewed !== undefined) {
          takeSchema(state, executed.renewed);
          // Whoever wrote the statement could not know.
          if (executed.isRepairable) state.debugAttempts -= 1;
        }
        return countFailure(state, sql, executed.error, executed.isRepairable);
      case 'disapproved': {
        const reason = 'The statement was not approved.';
        state.candidates.push({ sql, status: 'rejected', reason });
        state.verdict = { type: 'refused', reason };
        return 'failed';
      }
      case 'uncertain':
        state.candidates.push({ sql, status: 'failed', error: executed.error });
        state.finalError = executed.error;
        state.verdict = { type: 'failed', error: executed.error };
        return 'failed';
    }
  },
});

/** Makes a result the answer. */
export function acceptResult(state: QuestionState, sql: string, result: QueryResult): 'default' {
  const { rows, columns, ...figures } = result;
  state.finalResult = rows;
  state.resultColumns = columns;
  state.resultFigures = figures;
  state.executionError = null;
  state.candidates.push({ sql, status: 'chosen' });
  state.verdict = { type: 'answered', sure: false };
  return 'default';
}

function countFailure(
  state: QuestionState,
  sql: string,
  error: SerializedError,
  isRepairable: boolean,
): 'error_retry' | 'failed' {
  const wasRefusedBefore = state.candidates.some((candidate) => candidate.error && isRefusal(candidate.error.code));
  state.executionError = error;
  state.debugAttempts += 1;
  state.candidates.push({ sql, status: 'failed', error });
  const isSecondRefusal = isRefusal(error.code) && wasRefusedBefore;
  if (isRepairable && !isSecondRefusal && state.debugAttempts < state.maxDebugAttempts) return 'error_retry';
  state.finalError = error;
  state.verdict = isRefusal(error.code) ? { type: 'refused', reason: error.message, error } : { type: 'failed', error };
  return 'failed';
}

async function execute(sql: string, context: StepContext<QuestionDeps>): Promise<ExecutionOutcome> {
  if (sql.trim() === '') {
    const error = new AskemaError('MODEL_OUTPUT_INVALID', 'There is no statement to run: the model left it empty.');
    return { type: 'failed', error: error.toJSON(), wasSent: false };
  }
  try {
    return { type: 'result', result: await query(sql, 'read', context) };
  } catch (thrown) {
    const error = statementError(thrown);
    if (error.code === 'QUERY_NOT_READ_ONLY' && context.deps.access === 'write') return await write(sql, context);
    return failure(error);
  }
}

/** A name that the engine does not know may be one that has gone since the catalog was kept on disk. */
async function withNewSchema(
  executed: ExecutionOutcome,
  { fingerprint, about }: { readonly fingerprint: string | null; readonly about: SchemaQuestion },
  context: StepContext<QuestionDeps>,
): Promise<ExecutionOutcome> {
  const isNameUnknown = executed.type === 'failed' && executed.error.details.errorClass === 'identifier';
  if (!isNameUnknown || !(await context.deps.catalogs.isOutdated(fingerprint, context))) return executed;
  return { ...executed, renewed: await findSchema(about, context) };
}

function failure(error: AskemaError): ExecutionOutcome {
  return { type: 'failed', error: error.toJSON(), wasSent: true };
}

/** Approval and the begin of the change are recorded, so that a resumed run neither asks nor changes anything twice. */
async function write(sql: string, context: StepContext<QuestionDeps>): Promise<ExecutionOutcome> {
  const { approve, catalogs } = context.deps;
  if (approve !== undefined) {
    const isApproved = await context.memo('approve', async () => (await approve(sql)) === true, { key: sql });
    if (!isApproved) return { type: 'disapproved' };
  }
  const token = randomUUID();
  const begunBy = await context.memo('begin-write', async () => token, { key: sql });
  try {
    const result = await context.memo(
      'write',
      async () => {
        if (begunBy !== token) throw uncertainError(sql);
        return query(sql, 'write', context);
      },
      { key: sql },
    );
    return { type: 'result', result };
  } catch (thrown) {
    return begunBy === token
      ? failure(statementError(thrown))
      : { type: 'uncertain', error: toAskemaError(thrown).toJSON() };
  } finally {
    catalogs.forget();
  }
}

function uncertainError(sql: string): AskemaError {
  return new AskemaError(
    'QUERY_FAILED',
    'The run was interrupted while this statement was changing data, and nobody knows whether the change was committed. It was not run again: look at the data, then ask anew if it is missing.',
    { details: { sql } },
  );
}

function query(sql: string, access: 'read' | 'write', context: StepContext<QuestionDeps>): Promise<QueryResult> {
  return queryStatement(sql, { ...context.deps.limits, access }, context);
}
