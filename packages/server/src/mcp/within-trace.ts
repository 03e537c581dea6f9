import type { ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ServedMcp } from '../contract.ts';

/**
 * Trace context in `_meta` of a request (SEP-414), which gives no lengths. A `traceparent` has 55 characters now. W3C
 * Trace Context asks that at least 512 of `tracestate` are kept, and W3C Baggage 8,192 bytes of `baggage`.
 */
const CARRIER = z.object({
  traceparent: z.string().max(256),
  tracestate: z.string().max(512).optional().catch(undefined),
  baggage: z.string().max(8_192).optional().catch(undefined),
});

/** Answers a request in the trace that its message names. One that names none, or in no form, is answered as it is. */
export function withinTrace<T>(within: ServedMcp['within'], { mcpReq }: ServerContext, work: () => T): T {
  if (within === undefined) return work();
  const { success, data } = CARRIER.safeParse(mcpReq._meta);
  return success ? within(data, work) : work();
}
