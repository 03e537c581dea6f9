import { context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';

/** What answers requests: the `fetch` of a server, with what the web server passes along. */
export type Handler<Rest extends readonly unknown[]> = (
  request: Request,
  ...rest: Rest
) => Response | Promise<Response>;

/** What a message says of its trace, under the names of the headers. */
export interface TraceCarrier {
  readonly traceparent: string;
  readonly tracestate?: string | undefined;
  readonly baggage?: string | undefined;
}

/** See `Tracing.handler`. */
export function continueTrace<Rest extends readonly unknown[]>(handle: Handler<Rest>): Handler<Rest> {
  return async (request, ...rest) => {
    const { headers } = request;
    // Where a span is active, an instrumentation has been here.
    if (trace.getActiveSpan() !== undefined || !headers.has('traceparent')) return handle(request, ...rest);
    const told = propagation.extract(ROOT_CONTEXT, Object.fromEntries(headers));
    return context.with(told, () => handle(request, ...rest));
  };
}

/** See `Tracing.within`. */
export function withinTrace<T>(carrier: TraceCarrier, work: () => T): T {
  const active = context.active();
  const told = propagation.extract(active, carrier);
  const traceOf = (one: typeof active): string | undefined => trace.getSpanContext(one)?.traceId;
  return traceOf(told) === traceOf(active) ? work() : context.with(told, work);
}
