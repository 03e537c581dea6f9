import { context, propagation, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import { z } from 'zod';

/** What answers requests: the `fetch` of a server, with what the web server passes along. */
export type Handler<Rest extends readonly unknown[]> = (
  request: Request,
  ...rest: Rest
) => Response | Promise<Response>;

/** Of a longer body nobody looks for a trace: it would be held twice. */
const MAX_BODY_BYTES = 1024 * 1024;

/** A message of MCP: a client puts the trace into `_meta`, under the names of the headers. */
const MESSAGE = z.object({
  jsonrpc: z.literal('2.0'),
  params: z.object({
    _meta: z.object({
      traceparent: z.string(),
      tracestate: z.string().optional(),
      baggage: z.string().optional(),
    }),
  }),
});

/** See `Tracing.handler`. */
export function continueTrace<Rest extends readonly unknown[]>(handle: Handler<Rest>): Handler<Rest> {
  return async (request, ...rest) => {
    // An instrumentation has been here.
    if (trace.getActiveSpan() !== undefined) return handle(request, ...rest);
    const carrier = request.headers.has('traceparent')
      ? Object.fromEntries(request.headers)
      : await carrierInBody(request);
    if (carrier === undefined) return handle(request, ...rest);
    return context.with(propagation.extract(ROOT_CONTEXT, carrier), () => handle(request, ...rest));
  };
}

async function carrierInBody(request: Request): Promise<object | undefined> {
  const { headers, method } = request;
  const length = Number(headers.get('content-length') ?? Number.NaN);
  // Without a length the body may be endless.
  if (method !== 'POST' || !(length <= MAX_BODY_BYTES) || !headers.get('content-type')?.includes('json'))
    return undefined;
  try {
    const text = await request.clone().text();
    return MESSAGE.parse(JSON.parse(text)).params._meta;
  } catch {
    // What is wrong with the body is for the handler to say.
    return undefined;
  }
}
