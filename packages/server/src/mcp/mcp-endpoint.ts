import {
  type AuthInfo,
  createMcpHandler,
  INVALID_REQUEST,
  type McpRequestContext,
  type McpServerFactory,
} from '@modelcontextprotocol/server';
import { readBounded } from '../security/read-body.ts';

export interface McpEndpointOptions {
  /** Makes a server for each request; {@link givenWith} tells it what it is for. */
  readonly factory: McpServerFactory;
  /** Bytes of a request. Default: 1 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Hears of what clients do wrong; it changes no response. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** MCP over HTTP for callers that are known already: whoever mounts it checks Host, Origin and the token. */
export interface McpEndpoint {
  /** `given` is what the caller may use. When `signal` fires, what the request began stops. */
  fetch(request: Request, given: unknown, signal: AbortSignal): Promise<Response>;
}

const DEFAULT_BODY = 1024 * 1024;

/**
 * One endpoint for clients of 2026-07-28 and of the revisions before. Nothing is kept between requests: a client of an
 * older revision cannot cancel what another of its requests began, but it can leave.
 */
export function mcpEndpoint({ factory, maxBodyBytes = DEFAULT_BODY, onError }: McpEndpointOptions): McpEndpoint {
  const handler = createMcpHandler(factory, {
    maxRequestBodySize: maxBodyBytes,
    ...(onError === undefined ? {} : { onerror: onError }),
  });
  return {
    async fetch(request, given, signal) {
      const text = request.body === null ? undefined : await readBounded(request, maxBodyBytes);
      const refusal = text === undefined ? undefined : refusalOf(text);
      if (refusal !== undefined) return refused(refusal);
      // Whoever asks was recognised before: the token stays there.
      const authInfo: AuthInfo = { token: '', clientId: '', scopes: [], extra: { [GIVEN]: given } };
      const { method, headers } = request;
      const read = new Request(request.url, { method, headers, signal, ...(text === undefined ? {} : { body: text }) });
      const response = await handler.fetch(read, { authInfo });
      return stoppedBy(signal, response);
    },
  };
}

/** Messages of a batch, which run side by side. */
const MAX_BATCH = 20;
/** Characters of a progress token: it is sent back with each step. */
const MAX_TOKEN = 256;

/** Why a body is not looked at any further. What is no JSON is told by what reads it. */
function refusalOf(text: string): string | undefined {
  const body = parsed(text);
  const messages = Array.isArray(body) ? body : [body];
  if (messages.length > MAX_BATCH) return `A batch has ${MAX_BATCH} messages at most. Send several.`;
  const isLong = messages.some((message) => {
    const token = (message as Message | null | undefined)?.params?._meta?.progressToken;
    return typeof token === 'string' && token.length > MAX_TOKEN;
  });
  return isLong ? `A progress token has ${MAX_TOKEN} characters at most.` : undefined;
}

interface Message {
  readonly params?: { readonly _meta?: { readonly progressToken?: unknown } | null } | null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refused(message: string): Response {
  const error = { code: INVALID_REQUEST, message: `Invalid Request: ${message}` };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 });
}

const GIVEN = 'askema.given';

/** What `fetch` was given for the request that a server is made for. */
export function givenWith<Given>({ authInfo }: McpRequestContext): Given {
  return authInfo?.extra?.[GIVEN] as Given;
}

/** In older revisions only the end of the response stops what runs. */
function stoppedBy(signal: AbortSignal, response: Response): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const stop = async (reason: unknown): Promise<void> => {
    // Where that fails, the deadline of its statements stops what runs.
    await reader.cancel(reason).catch(() => undefined);
  };
  if (signal.aborted) void stop(signal.reason);
  signal.addEventListener('abort', () => stop(signal.reason), { once: true });
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: stop,
  });
  return new Response(body, response);
}
