import {
  type Adapter,
  type AdapterSpec,
  AskemaError,
  type CallContext,
  type ExecuteOptions,
  isAskemaError,
  redactSecrets,
  resolveAdapter,
  toAskemaError,
} from '@askema/core';
import { redactSql } from '@askema/sql';
import { SpanKind, trace } from '@opentelemetry/api';
import type { CallMetrics } from '../metrics/call-metrics.ts';
import { DATABASE_NAMES } from '../names.ts';
import type { RunSpans } from '../runs/run-spans.ts';
import type { Begun } from '../spans/begin-span.ts';
import { type Watcher, watch } from '../spans/watch.ts';
import { callWithin, readWithin } from '../spans/within.ts';
import { summarizeSql } from '../statements/summarize-sql.ts';
import { traceparentOf, withTraceComment } from '../statements/trace-comment.ts';

/** Of `db.query.text`. What looks values up in all columns at once is far longer, and says nothing new at its end. */
const MAX_CHARACTERS = 4_000;

/** How a database is told which trace a statement belongs to. */
export interface AdapterTracingOptions {
  /**
   * Writes `traceparent` into a comment behind each statement (SQLCommenter), where the logs of the server show it. No
   * two statements then have the same text, so engines that keep plans by the text find none to use again, and a call of
   * BigQuery that is repeated after a crash does not find its job: take `tags` there. Default: false.
   */
  readonly comments?: boolean | undefined;
  /**
   * Adds the tag `traceparent` to the tags of each statement, which adapters make query tags and job labels of. Default:
   * false.
   */
  readonly tags?: boolean | undefined;
}

export interface AdapterTracing {
  readonly runs: RunSpans;
  readonly metrics: CallMetrics;
  /** Statements stand in the span with their texts and numbers. */
  readonly statements: boolean;
  readonly errorMessages: boolean;
}

/** An adapter whose statements are spans, below the step that makes them. Closing it closes the one below. */
export function traceAdapter(
  adapter: AdapterSpec | Adapter,
  tracing: AdapterTracing,
  options: AdapterTracingOptions,
): Adapter {
  return resolveAdapter(specOf(resolveAdapter(adapter), tracing, options));
}

/** Something that the database does. */
interface Doing {
  readonly context: CallContext;
  readonly operation?: string | undefined;
  readonly sql?: string | undefined;
}

function specOf(inner: Adapter, tracing: AdapterTracing, options: AdapterTracingOptions): AdapterSpec {
  const { dialect, compressor, cteParser, explorer, stamps } = inner;
  const system = dialect.systemName ?? dialect.name;
  const attributes = { [DATABASE_NAMES.system]: system };
  const { comments = false, tags = false } = options;
  const isTold = comments || tags;
  const begin = ({ context, operation, sql }: Doing): Begun => {
    const begun = tracing.runs.begin(context, operation ?? system, { kind: SpanKind.CLIENT, attributes });
    if (begun.span === undefined || sql === undefined) return begun;
    const known = summarizeSql(sql, dialect.lexer);
    const summary = [operation, known].filter(Boolean).join(' ');
    if (tracing.statements || known !== undefined) {
      const text = tracing.statements ? redactSecrets(sql) : redactSql(sql, dialect.lexer);
      begun.span.setAttribute(DATABASE_NAMES.text, text.slice(0, MAX_CHARACTERS));
    }
    if (summary !== '') begun.span.updateName(summary).setAttribute(DATABASE_NAMES.summary, summary);
    return begun;
  };
  /** Undefined where nothing is told of what the database does. */
  const watchWork = ({ span }: Begun): Watcher<unknown> | undefined => {
    const { metrics, errorMessages } = tracing;
    if (span === undefined && !metrics.isOn) return undefined;
    const asError = (thrown: unknown): AskemaError => {
      const error = queryError(thrown);
      const statusCode = statusCodeOf(error);
      if (statusCode !== undefined) span?.setAttribute(DATABASE_NAMES.statusCode, statusCode);
      return error;
    };
    const ended = (seconds: number, error: string | undefined): void => metrics.statement(system, seconds, error);
    return watch({ span, errorMessages, asError, ended });
  };
  const done = <T>(doing: Doing, call: () => Promise<T>): Promise<T> => {
    const begun = begin(doing);
    return callWithin(begun.active, call, watchWork(begun));
  };
  /** Its trace, in what the database is told of a statement. */
  const told = (sql: string, given: ExecuteOptions, { active }: Begun): readonly [string, ExecuteOptions] => {
    if (!isTold) return [sql, given];
    const traceparent = traceparentOf(active && trace.getSpan(active));
    if (traceparent === undefined) return [sql, given];
    // Adapters know the probe of definitions by its text.
    const commented = comments && sql !== dialect.probes.definitions;
    return [
      commented ? withTraceComment(sql, traceparent, dialect.lexer) : sql,
      tags ? { ...given, context: withTag(given.context, { traceparent }) } : given,
    ];
  };
  return {
    contract: 1,
    dialect,
    name: inner.name,
    access: inner.access,
    ...(compressor === undefined ? {} : { compressor }),
    ...(cteParser === undefined ? {} : { cteParser }),
    ...(explorer === undefined ? {} : { explorer: () => explorer }),
    ...(stamps === undefined ? {} : { stamps }),
    executor: {
      execute(sql, given) {
        return {
          [Symbol.asyncIterator]() {
            const begun = begin({ context: given.context, sql });
            const open = () => inner.executor.execute(...told(sql, given, begun));
            return readWithin(begun.active, open, watchWork(begun));
          },
        };
      },
    },
    introspector: {
      introspect: (given) =>
        done({ context: given.context, operation: 'introspect' }, () => inner.introspector.introspect(given)),
    },
    planner: {
      check: (sql, given) =>
        done({ context: given.context, operation: 'EXPLAIN', sql }, () => inner.planner.check(sql, given)),
    },
    sampleValues: (ids, given) =>
      done({ context: given.context, operation: 'sample' }, () => inner.sampleValues(ids, given)),
    diagnose: (given) => done({ context: given.context, operation: 'diagnose' }, () => inner.diagnose(given)),
    scope: (narrow) => specOf(inner.scope(narrow), tracing, options),
    close: () => inner.close(),
  };
}

function withTag(callContext: CallContext, tag: CallContext['tags']): CallContext {
  return { ...callContext, tags: { ...callContext.tags, ...tag } };
}

/** As callers will see it: a driver's own error becomes `QUERY_FAILED` only above the executor. */
function queryError(thrown: unknown): AskemaError {
  if (isAskemaError(thrown) || !(thrown instanceof Error)) return toAskemaError(thrown);
  if (thrown instanceof TypeError || thrown.name === 'AbortError') return toAskemaError(thrown);
  const { code } = thrown as { readonly code?: unknown };
  const vendorCode = code === undefined ? undefined : String(code);
  return new AskemaError('QUERY_FAILED', thrown.message, { details: { vendorCode } });
}

/** The vendor's code of an error. What a driver gives for it may be a message, too. */
function statusCodeOf({ details }: AskemaError): string | undefined {
  const { vendorCode } = details;
  return typeof vendorCode === 'string' && /^[\w-]{1,40}$/.test(vendorCode) ? vendorCode : undefined;
}
