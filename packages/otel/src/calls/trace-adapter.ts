import {
  type Adapter,
  type AdapterSpec,
  AskemaError,
  type CallContext,
  isAskemaError,
  redactSecrets,
  resolveAdapter,
  toAskemaError,
} from '@askema/core';
import { redactSql } from '@askema/sql';
import { type Context, context, type Span, SpanKind, type Tracer, trace } from '@opentelemetry/api';
import type { CallMetrics } from '../metrics/call-metrics.ts';
import { DATABASE_NAMES } from '../names.ts';
import type { RunSpans } from '../runs/run-spans.ts';
import { fail } from '../spans/fail.ts';
import { within } from '../spans/within.ts';
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
  readonly tracer: Tracer;
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

function specOf(inner: Adapter, tracing: AdapterTracing, options: AdapterTracingOptions): AdapterSpec {
  const { dialect, compressor, cteParser, explorer, stamps } = inner;
  const system = dialect.systemName ?? dialect.name;
  const start = (callContext: CallContext, what: { readonly operation?: string; readonly sql?: string }): Work => {
    const { tracer, runs } = tracing;
    const parent = runs.contextOf(callContext);
    const attributes = { [DATABASE_NAMES.system]: system };
    const span = tracer.startSpan(what.operation ?? system, { kind: SpanKind.CLIENT, attributes }, parent);
    if (span.isRecording() && what.sql !== undefined) {
      const summary = [what.operation, summarizeSql(what.sql, dialect.lexer)].filter(Boolean).join(' ');
      const text = tracing.statements ? redactSecrets(what.sql) : redactSql(what.sql, dialect.lexer);
      span.setAttribute(DATABASE_NAMES.text, text.slice(0, MAX_CHARACTERS));
      if (summary !== '') span.updateName(summary).setAttribute(DATABASE_NAMES.summary, summary);
    }
    return new Work(span, trace.setSpan(parent, span), system, tracing);
  };
  const done = async <T>(work: Work, call: () => Promise<T>): Promise<T> => {
    try {
      return await context.with(work.active, call);
    } catch (error) {
      work.failed(error);
      throw error;
    } finally {
      work.end();
    }
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
      async *execute(sql, given) {
        const work = start(given.context, { sql });
        const traceparent = traceparentOf(work.span);
        // Adapters know that one by its text.
        const isCommented = options.comments === true && sql !== dialect.probes.definitions;
        const told = traceparent !== undefined && isCommented;
        const text = told ? withTraceComment(sql, traceparent, dialect.lexer) : sql;
        const tagged = traceparent !== undefined && options.tags === true;
        const executing = tagged ? { ...given, context: withTag(given.context, { traceparent }) } : given;
        try {
          yield* within(work.active, () => inner.executor.execute(text, executing));
        } catch (error) {
          work.failed(error);
          throw error;
        } finally {
          // Also reached when the reader leaves early.
          work.end();
        }
      },
    },
    introspector: {
      introspect: (given) =>
        done(start(given.context, { operation: 'introspect' }), () => inner.introspector.introspect(given)),
    },
    planner: {
      check: (sql, given) =>
        done(start(given.context, { operation: 'EXPLAIN', sql }), () => inner.planner.check(sql, given)),
    },
    sampleValues: (attributes, given) =>
      done(start(given.context, { operation: 'sample' }), () => inner.sampleValues(attributes, given)),
    diagnose: (given) => done(start(given.context, { operation: 'diagnose' }), () => inner.diagnose(given)),
    scope: (narrow) => specOf(inner.scope(narrow), tracing, options),
    close: () => inner.close(),
  };
}

function withTag(callContext: CallContext, tag: CallContext['tags']): CallContext {
  return { ...callContext, tags: { ...callContext.tags, ...tag } };
}

/** Something that the database does, from its start to its end. */
class Work {
  readonly span: Span;
  readonly active: Context;
  readonly #system: string;
  readonly #tracing: AdapterTracing;
  readonly #startedAt = performance.now();
  #error: string | undefined;

  constructor(span: Span, active: Context, system: string, tracing: AdapterTracing) {
    this.span = span;
    this.active = active;
    this.#system = system;
    this.#tracing = tracing;
  }

  failed(thrown: unknown): void {
    const error = queryError(thrown);
    this.#error = error.code;
    const statusCode = statusCodeOf(error);
    if (statusCode !== undefined) this.span.setAttribute(DATABASE_NAMES.statusCode, statusCode);
    fail(this.span, error, this.#tracing.errorMessages);
  }

  end(): void {
    this.#tracing.metrics.statement(this.#system, (performance.now() - this.#startedAt) / 1_000, this.#error);
    this.span.end();
  }
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
