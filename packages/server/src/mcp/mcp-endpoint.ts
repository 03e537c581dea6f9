import {
  type AuthInfo,
  createMcpHandler,
  type McpRequestContext,
  type McpServerFactory,
} from '@modelcontextprotocol/server';
import type { Caller } from '../contract.ts';

export interface McpEndpointOptions<Opened> {
  /** Makes a server for each request; {@link openedIn} gives it what `open` gave. */
  readonly factory: McpServerFactory;
  /** What a caller may use, before anything of the request is looked at. */
  open(caller: Caller): Promise<Opened>;
  /** When the last byte of the response has left, or its reader has gone. */
  release?(opened: Opened): void;
  /** Bytes of a request. Default: 1 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Hears of what clients do wrong; it changes no response. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** MCP over HTTP for callers that are known already: whoever mounts it checks Host, Origin and the token. */
export interface McpEndpoint {
  /** Rejects as `open`. */
  fetch(request: Request, caller: Caller): Promise<Response>;
  /** Stops what runs. */
  close(): Promise<void>;
}

const DEFAULT_BODY = 1024 * 1024;

/**
 * One endpoint for clients of 2026-07-28 and of the revisions before. Nothing is kept between requests: a client of an
 * older revision cannot cancel what another of its requests began, but it can leave.
 */
export function mcpEndpoint<Opened>(options: McpEndpointOptions<Opened>): McpEndpoint {
  const { factory, open, release, maxBodyBytes = DEFAULT_BODY, onError } = options;
  const handler = createMcpHandler(factory, {
    maxRequestBodySize: maxBodyBytes,
    ...(onError === undefined ? {} : { onerror: onError }),
  });
  return {
    async fetch(request, caller) {
      const opened = await open(caller);
      let isReleased = false;
      const end = (): void => {
        if (!isReleased) release?.(opened);
        isReleased = true;
      };
      try {
        const response = await handler.fetch(request, { authInfo: carrying(opened, caller) });
        return whenRead(response, request.signal, end);
      } catch (thrown) {
        end();
        throw thrown;
      }
    },
    close: () => handler.close(),
  };
}

const OPENED = 'askema.opened';

/** The token stays with who checked it. */
function carrying(opened: unknown, { subject, scopes }: Caller): AuthInfo {
  return { token: '', clientId: subject, scopes: [...scopes], extra: { [OPENED]: opened } };
}

/** What `open` gave for the request that a server is made for. */
export function openedIn<Opened>({ authInfo }: McpRequestContext): Opened {
  return authInfo?.extra?.[OPENED] as Opened;
}

/** Calls `end` after the last byte, or when nobody reads any more. */
function whenRead(response: Response, left: AbortSignal, end: () => void): Response {
  if (response.body === null) {
    end();
    return response;
  }
  const reader = response.body.getReader();
  const stop = async (reason: unknown): Promise<void> => {
    end();
    // It stops what runs; where that fails, the deadline of its statements does.
    await reader.cancel(reason).catch(() => undefined);
  };
  left.addEventListener('abort', () => stop(left.reason), { once: true });
  if (left.aborted) void stop(left.reason);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (thrown) {
        controller.error(thrown);
      }
      end();
    },
    cancel: stop,
  });
  return new Response(body, response);
}
