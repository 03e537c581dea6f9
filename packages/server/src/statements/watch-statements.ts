import {
  type Adapter,
  type AdapterSpec,
  AskemaError,
  type CallContext,
  type Planner,
  type PlanVerdict,
  resolveAdapter,
} from '@askema/core';
import type { WorkKind } from '../contract.ts';

export interface Work {
  readonly kind: WorkKind;
  /** Of a statement and a plan. */
  readonly sql?: string | undefined;
  /** The time that a statement has, from here to its last row. */
  readonly timeoutMs?: number | undefined;
  readonly context: CallContext;
}

/** How it ended: with neither `error` nor `left`, by itself. */
export interface WorkEnd {
  readonly error?: unknown;
  /** The reader left before the last row. */
  readonly left?: boolean | undefined;
  readonly rows: number;
  /** What the engine scanned, where it says. */
  readonly bytes?: number | undefined;
}

/** Hears of all work before it is done; where it rejects, nothing is done. What it returns hears how it ended. */
export type Watch = (work: Work) => Promise<(end: WorkEnd) => Promise<void>>;

/**
 * An adapter that reads only and does nothing that `watch` has not heard of. Of an explorer of its own it makes no use:
 * that one asks the database without it. Closing it closes the adapter below.
 */
export function watchStatements(inner: Adapter, watch: Watch): Adapter {
  const watched = async <T>(work: Work, done: () => Promise<T>, errorOf?: (result: T) => unknown): Promise<T> => {
    const end = await watch(work);
    let result: T;
    try {
      result = await done();
    } catch (error) {
      await end({ error, rows: 0 });
      throw error;
    }
    const error = errorOf?.(result);
    await end({ ...(error === undefined ? {} : { error }), rows: 0 });
    return result;
  };
  const planner: Planner = {
    check: (sql, options) =>
      watched({ kind: 'plan', sql, context: options.context }, () => inner.planner.check(sql, options), refusalIn),
  };
  const { compressor, cteParser, stamps } = inner;
  const asked = <T>(context: CallContext, ask: () => Promise<T>) => watched({ kind: 'catalog', context }, ask);
  const spec: AdapterSpec = {
    contract: 1,
    dialect: inner.dialect,
    name: inner.name,
    access: 'read',
    ...(compressor === undefined ? {} : { compressor }),
    ...(cteParser === undefined ? {} : { cteParser }),
    executor: {
      async *execute(sql, options) {
        const { timeoutMs, context } = options;
        const started = performance.now();
        const end = await watch({ kind: 'statement', sql, timeoutMs, context });
        // The time for which it had to wait counts.
        const left = Math.max(1, Math.ceil(timeoutMs - (performance.now() - started)));
        let rows = 0;
        let ended: WorkEnd | undefined;
        try {
          for await (const event of inner.executor.execute(sql, { ...options, timeoutMs: left })) {
            if (event.type === 'rows') rows += event.rows.length;
            if (event.type === 'end') ended = { rows, bytes: event.bytesProcessed };
            yield event;
          }
          ended ??= { rows };
        } catch (error) {
          ended = { error, rows };
          throw error;
        } finally {
          await end(ended ?? { left: true, rows });
        }
      },
    },
    introspector: {
      introspect: (options) => asked(options.context, () => inner.introspector.introspect(options)),
    },
    planner,
    sampleValues: (attributes, options) =>
      watched({ kind: 'sample', context: options.context }, () => inner.sampleValues(attributes, options)),
    diagnose: ({ timeoutMs, context }) =>
      watched({ kind: 'diagnosis', context }, () => inner.diagnose({ timeoutMs, context })),
    ...(stamps === undefined
      ? {}
      : {
          stamps: {
            identity: (options) => asked(options.context, () => stamps.identity(options)),
            structure: (options) => asked(options.context, () => stamps.structure(options)),
            data: (options) => asked(options.context, async () => stamps.data?.(options)),
          },
        }),
    close: () => inner.close(),
  };
  return resolveAdapter(spec);
}

/** What is hidden or masked is refused in a verdict: a plan is there to be told what is wrong. */
function refusalIn({ error }: PlanVerdict): AskemaError | undefined {
  return error?.details?.code === 'QUERY_REFUSED' ? new AskemaError('QUERY_REFUSED', error.message) : undefined;
}
