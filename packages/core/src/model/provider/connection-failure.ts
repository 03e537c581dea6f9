import { certificateProblem } from '../../errors/certificate-problem.ts';

/** What broke between us and a server, read from an error and its causes. */
export type ConnectionFault =
  | 'refused'
  | 'reset'
  | 'unknown-host'
  | 'temporary-dns'
  | 'timeout'
  | 'certificate'
  | 'bad-url';

const FAULTS: Readonly<Record<string, ConnectionFault>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  ERR_STREAM_PREMATURE_CLOSE: 'reset',
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'temporary-dns',
  ENETUNREACH: 'unknown-host',
  EHOSTUNREACH: 'unknown-host',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
};

/** Messages of `fetch` that carry no code, when the other side closes the connection. */
const RESET_MESSAGES = /^(terminated|fetch failed|other side closed|premature close)/i;

/** What `fetch` says of a URL that it calls nothing at (https://fetch.spec.whatwg.org/#port-blocking). */
const BAD_URL_MESSAGES = /^(bad port|unknown scheme)$/;

/**
 * Finds the fault of a connection in an error, its `cause` chain and the errors of an AggregateError (one for each
 * address tried). Undefined when the error is about something else.
 */
export function connectionFaultOf(error: unknown, depth = 0): { fault: ConnectionFault; code: string } | undefined {
  if (!(error instanceof Error) || depth > 8) return undefined;
  const code = (error as { code?: unknown }).code;
  if (typeof code === 'string' && FAULTS[code] !== undefined) return { fault: FAULTS[code], code };
  if (typeof code === 'string' && certificateProblem(code) !== undefined) return { fault: 'certificate', code };
  for (const inner of error instanceof AggregateError ? error.errors : []) {
    const found = connectionFaultOf(inner, depth + 1);
    if (found !== undefined) return found;
  }
  if (BAD_URL_MESSAGES.test(error.message)) return { fault: 'bad-url', code: error.message };
  const found = connectionFaultOf(error.cause, depth + 1);
  if (found !== undefined) return found;
  return RESET_MESSAGES.test(error.message) ? { fault: 'reset', code: deepestMessage(error) } : undefined;
}

function deepestMessage(error: Error, depth = 0): string {
  return error.cause instanceof Error && depth < 8 ? deepestMessage(error.cause, depth + 1) : error.message;
}

/** True for a URL that stays on this machine. */
export function isLoopbackUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
