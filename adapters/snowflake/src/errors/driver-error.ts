/** Why the last request came to nothing. */
export interface HttpFailure {
  readonly status?: number | undefined;
  /** The code of Node's network errors: `ECONNREFUSED`. */
  readonly network?: string | undefined;
  readonly attempts: number;
}

/** What is read of an error of snowflake-sdk; nothing else of it is shown, because it carries whole answers and headers. */
export interface DriverFailure {
  readonly message: string;
  /** Six digits of the server (`002003`) or of the driver (`407002`), or a code of Node. */
  readonly code?: string | undefined;
  /** The server answered, and refuses. */
  readonly refused: boolean;
  readonly queryId?: string | undefined;
  /** Where the request itself failed. */
  readonly http?: HttpFailure | undefined;
}

/** The request was made on a session that is over (`ERR_CONN_REQUEST_STATUS_DISCONNECTED` and its neighbours in the driver). */
const SESSION_GONE = new Set(['407001', '407002', '390104', '390111', '390112', '390114']);

/** Reads what the driver reports, and takes literal secrets out of its words. */
export function readFailure(
  error: unknown,
  http: HttpFailure | undefined,
  secrets: readonly (string | undefined)[],
): DriverFailure {
  const { name, code, message, data } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly [field: string]: unknown;
  };
  const refused = name === 'OperationFailedError';
  const queryId = (data as { readonly queryId?: unknown } | null | undefined)?.queryId;
  return {
    message: withoutSecrets(typeof message === 'string' && message !== '' ? message : 'no reason given', secrets),
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : undefined,
    refused,
    queryId: typeof queryId === 'string' ? queryId : undefined,
    http: refused ? undefined : http,
  };
}

/** True where the statement was surely not run, because its session had ended. */
export function isSessionGone({ code }: DriverFailure): boolean {
  return code !== undefined && SESSION_GONE.has(code);
}

/** Servers and proxies may repeat what they were sent. */
function withoutSecrets(text: string, secrets: readonly (string | undefined)[]): string {
  return secrets.reduce<string>(
    (clean, secret) => (secret === undefined || secret.length < 4 ? clean : clean.replaceAll(secret, '[redacted]')),
    text,
  );
}
