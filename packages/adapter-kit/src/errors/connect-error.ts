import { AskemaError, certificateProblem, type ErrorCode, isAskemaError } from '@askema/core';
import type { ResolvedServerOptions } from '../options/server-address.ts';

/** What is to be said of one way in which connecting fails. */
export interface Remedy {
  readonly code: ErrorCode;
  readonly retryable?: boolean | undefined;
  /** What to do, as a sentence. */
  readonly remedy: string;
}

export interface ConnectFailure {
  /** The engine, as people call it. */
  readonly product: string;
  /** Whose name, place and user are shown. */
  readonly options: Pick<ResolvedServerOptions, 'name' | 'host' | 'port' | 'database' | 'user'>;
  /** By the vendor's code. */
  readonly remedies: Readonly<Record<string, Remedy>>;
  /** By the vendor's words, looked at first. */
  readonly patterns?: readonly (readonly [RegExp, Remedy])[] | undefined;
}

/** By Node's codes. */
const NETWORK: Readonly<Record<string, Remedy>> = {
  ECONNREFUSED: unavailable('Nothing answers there: check that the server runs, and host and port.'),
  ENOTFOUND: unavailable('The name of the host is not known; check it.'),
  ENOENT: unavailable('There is no socket of a server in this folder.'),
};

/** The code for what OpenSSL and Node say: drivers put codes of their own in its place. */
function certificateCode(message: string): string {
  if (/altname/i.test(message)) return 'ERR_TLS_CERT_ALTNAME_INVALID';
  if (/has expired/i.test(message)) return 'CERT_HAS_EXPIRED';
  return /not yet valid/i.test(message) ? 'CERT_NOT_YET_VALID' : 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';
}

const OTHERWISE = unavailable('Check that the server runs and can be reached; try again.');

/** `DATABASE_UNAVAILABLE`, worth another try. @param remedy what to do, as a sentence. */
export function unavailable(remedy: string): Remedy {
  return { code: 'DATABASE_UNAVAILABLE', retryable: true, remedy };
}

/** The server lets no more clients in. */
export const TOO_MANY_CONNECTIONS = unavailable(
  'Too many connections are open: lower `poolSize`, close other clients, or raise max_connections.',
);

/** `CONFIG_INVALID`: another try would fail as well. @param remedy what to do, as a sentence. */
export function misconfigured(remedy: string): Remedy {
  return { code: 'CONFIG_INVALID', remedy };
}

/**
 * What was missing when no connection could be opened, and what to do; an AskemaError stays. The driver's words must
 * carry no secrets.
 */
export function connectError(
  thrown: unknown,
  { product, options, remedies, patterns = [] }: ConnectFailure,
): AskemaError {
  if (isAskemaError(thrown)) return thrown;
  const { name, host, port, database, user } = options;
  const place = `${host}:${port}${database === undefined ? '' : `/${database}`}${user === undefined ? '' : ` as ${user}`}`;
  const { code, message } = describeThrown(thrown);
  const remedy =
    patterns.find(([pattern]) => pattern.test(message))?.[1] ??
    (/certificate|self.signed|altname/i.test(`${message} ${code}`)
      ? misconfigured(certificateProblem(code) ?? certificateProblem(certificateCode(message)) ?? '')
      : (remedies[code ?? ''] ?? NETWORK[code ?? ''] ?? OTHERWISE));
  return new AskemaError(remedy.code, `${product} at ${place} cannot be reached: ${message.trim()}. ${remedy.remedy}`, {
    retryable: remedy.retryable ?? false,
    details: { database: name, vendorCode: code },
    cause: thrown,
  });
}

/** The connection ended while a statement ran: `DATABASE_UNAVAILABLE`. @param name the adapter's. */
export function brokenOffError(thrown: unknown, product: string, name: string): AskemaError {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AskemaError(
    'DATABASE_UNAVAILABLE',
    `The connection to ${product} at ${name} broke off: ${message.replace(/\.$/, '')}. Check that the server runs; try again.`,
    { retryable: true, cause: thrown },
  );
}

/** Several addresses of one host fail as one AggregateError without words of its own. */
function describeThrown(thrown: unknown): { readonly code: string | undefined; readonly message: string } {
  const first = thrown instanceof AggregateError ? (thrown.errors[0] ?? thrown) : thrown;
  const { code, message } = first as { readonly code?: unknown; readonly message?: unknown };
  return {
    code: typeof code === 'string' ? code : undefined,
    message: String(message ?? first).replace(/\.$/, '') || String(code ?? 'no answer'),
  };
}
