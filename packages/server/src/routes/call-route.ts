import { AskemaError } from '@askema/core';
import { requireScope } from '../caller/scopes.ts';
import type { Caller, Scope } from '../contract.ts';
import { checkedInput, readJson } from '../security/read-body.ts';
import { type CurrentRequest, forRequest } from '../statements/current-request.ts';
import { CallerLeases } from './caller-leases.ts';
import type { Route, RouteCall, ServerParts } from './route.ts';

export interface Incoming {
  readonly request: Request;
  readonly requestId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly maxBodyBytes: number;
}

/**
 * Does what a route says, for a caller with the scope that it needs. What it has opened is given back when its response
 * has been read, or when nobody reads it any more; `over` is called then.
 */
export async function callRoute(
  route: Route,
  incoming: Incoming,
  { parts, over }: { readonly parts: ServerParts; readonly over: () => void },
): Promise<Response> {
  const { request, requestId, caller, signal, params } = incoming;
  const leases = new CallerLeases(parts, caller);
  const current: CurrentRequest = { requestId, caller, route: `${route.method} ${route.path}` };
  const held: (() => void)[] = [];
  const call: RouteCall = {
    request,
    requestId,
    caller,
    parts,
    signal,
    param: (name) => (Object.hasOwn(params, name) ? (params[name] ?? '') : ''),
    body: (schema) => readJson(request, schema, incoming.maxBodyBytes),
    query: (schema) => checkedInput(schema, Object.fromEntries(new URL(request.url).searchParams), 'The query'),
    database: (name, scope) => leases.open(name, scope ?? scopeOf(route)),
    beginQuestion(question) {
      parts.limiter.of(caller).beginQuestion();
      current.question = question;
    },
    holdQuestion: () => void held.push(parts.limiter.of(caller).holdQuestion()),
  };
  const end = (): void => {
    leases.release();
    for (const leave of held) leave();
    over();
  };
  try {
    if (route.scope !== 'none') parts.limiter.of(caller).beginRequest();
    const needed = scopeOf(route);
    if (needed !== undefined) requireScope(caller, needed);
    const made = await forRequest(current, async () => route.handle(call));
    if (made instanceof Response) return request.method === 'HEAD' ? headOf(made, end) : untilRead(made, end);
    end();
    return Response.json(made);
  } catch (thrown) {
    end();
    throw thrown;
  }
}

function scopeOf({ scope }: Route): Scope | undefined {
  return scope === 'none' || scope === 'any' ? undefined : scope;
}

/** The response to a HEAD: its body, which nobody will read, is over now. */
async function headOf(response: Response, end: () => void): Promise<Response> {
  await response.body?.cancel().catch(() => undefined);
  end();
  return new Response(null, { status: response.status, headers: response.headers });
}

/** A reader may pause for so long; then the answer is broken off, and its statement stopped. */
const UNREAD_MS = 120_000;

/** The response, with `end` called once when its body has been read, has failed, was left, or is read no further. */
function untilRead(response: Response, end: () => void): Response {
  if (response.body === null) {
    end();
    return response;
  }
  const reader = response.body.getReader();
  let idle: ReturnType<typeof setTimeout> | undefined;
  const leave = async (reason: unknown): Promise<void> => {
    clearTimeout(idle);
    end();
    await reader.cancel(reason);
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(idle);
        const stalled = (): void => {
          const reason = new AskemaError('ABORTED', 'Nobody has read the answer any further.');
          controller.error(reason);
          leave(reason).catch(() => undefined);
        };
        try {
          const { done, value } = await reader.read();
          if (!done) {
            idle = setTimeout(stalled, UNREAD_MS);
            idle.unref();
            return controller.enqueue(value);
          }
          controller.close();
        } catch (thrown) {
          controller.error(thrown);
        }
        end();
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
}
