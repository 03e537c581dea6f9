import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** A request as the stub saw it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  /** The JSON of the body, unzipped; undefined without one. */
  readonly body: SeenBody | undefined;
}

/** What is looked at in bodies. */
interface SeenBody {
  readonly sqlText?: string;
  readonly describeOnly?: boolean;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly bindings?: Readonly<Record<string, { readonly type: string; readonly value: unknown }>>;
  readonly requestId?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** What to answer: a JSON body with 200, or anything else by hand. */
export type StubAnswer = Readonly<Record<string, unknown>> | ((response: ServerResponse) => void | Promise<void>);

/** Answers a request; undefined leaves it to the next, and at last to the usual answer. */
export type StubHandler = (request: SeenRequest) => StubAnswer | undefined | Promise<StubAnswer | undefined>;

export interface WireStub {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  /** Requests by the end of their path: `query-request`, `abort-request`. */
  seen(path: string): readonly SeenRequest[];
  /** Resolves when so many requests to that path have come. */
  waitFor(path: string, count?: number): Promise<void>;
  /** Asked before the handlers that were given sooner. */
  on(handler: StubHandler): void;
  /** Ends all connections and no longer listens: a killed server. */
  kill(): Promise<void>;
}

/** A loopback server that speaks the protocol of Snowflake's drivers, with answers of the tests' own. */
export async function startWireStub(...handlers: readonly StubHandler[]): Promise<WireStub> {
  const requests: SeenRequest[] = [];
  const chain: StubHandler[] = [...handlers];
  const wake: (() => void)[] = [];
  const server = createServer((message, response) => {
    void handle(message, response, chain, (request) => {
      requests.push(request);
      for (const resume of wake.splice(0)) resume();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const seen = (path: string): readonly SeenRequest[] => requests.filter((request) => request.path.endsWith(path));
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    seen,
    async waitFor(path, count = 1) {
      while (seen(path).length < count) await new Promise<void>((resolve) => wake.push(resolve));
    },
    on: (handler) => {
      chain.unshift(handler);
    },
    kill: () => killServer(server),
  };
}

async function killServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

async function handle(
  message: IncomingMessage,
  response: ServerResponse,
  handlers: readonly StubHandler[],
  note: (request: SeenRequest) => void,
): Promise<void> {
  const request = await readRequest(message);
  note(request);
  for (const handler of handlers) {
    const answer = await handler(request);
    if (answer === undefined) continue;
    if (typeof answer === 'function') await answer(response);
    else json(response, answer);
    return;
  }
  json(response, usualAnswer(request));
}

/** Sends a JSON body. */
export function json(response: ServerResponse, body: Readonly<Record<string, unknown>>, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(body));
}

async function readRequest(message: IncomingMessage): Promise<SeenRequest> {
  const url = new URL(message.url ?? '/', 'http://stub');
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  const raw = Buffer.concat(parts);
  const text = (message.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw).toString('utf8');
  return {
    method: message.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: message.headers,
    body: text === '' ? undefined : (JSON.parse(text) as SeenBody),
  };
}

/** Logins succeed, cancelling and logging out too; statements are unknown. */
function usualAnswer({ path, query }: SeenRequest): Readonly<Record<string, unknown>> {
  if (path === '/session/v1/login-request') return loginAnswer(query);
  if (path.endsWith('/abort-request') || path === '/session') return done(null);
  return refusal('000000', `the stub has no answer for ${path}`);
}

let sessions = 0;

function loginAnswer(query: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  sessions += 1;
  return done({
    token: `session-token-${sessions}-of-the-stub`,
    masterToken: `master-token-${sessions}-of-the-stub`,
    validityInSeconds: 3600,
    masterValidityInSeconds: 14400,
    sessionId: sessions,
    serverVersion: '9.34.0',
    parameters: [{ name: 'QUERY_CONTEXT_CACHE_SIZE', value: 5 }],
    sessionInfo: {
      databaseName: query.databaseName ?? null,
      schemaName: query.schemaName ?? null,
      warehouseName: query.warehouse ?? null,
      roleName: query.roleName ?? 'PUBLIC',
    },
  });
}

/** The envelope of what went well. */
export function done(data: unknown, code: string | null = null): Readonly<Record<string, unknown>> {
  return { data, code, message: null, success: true };
}

/** The envelope of what the server refuses. */
export function refusal(code: string, message: string, sqlState = '42000'): Readonly<Record<string, unknown>> {
  return { data: { errorCode: code, sqlState, queryId: QUERY_ID }, code, message, success: false };
}

export const QUERY_ID = '01b00000-0000-0000-0000-000000000001';

export interface StubColumn {
  readonly name: string;
  readonly type: string;
  readonly scale?: number;
  readonly precision?: number;
  readonly length?: number;
}

export interface StubResult {
  readonly columns: readonly StubColumn[];
  readonly rows?: readonly (readonly (string | null)[])[];
  readonly chunks?: readonly { readonly url: string; readonly rowCount: number }[];
  readonly statementTypeId?: number | undefined;
  readonly version?: number;
}

/** The envelope of a result. */
export function result({
  columns,
  rows = [],
  chunks,
  statementTypeId = 4096,
  version = 1,
}: StubResult): Readonly<Record<string, unknown>> {
  const total = rows.length + (chunks ?? []).reduce((sum, { rowCount }) => sum + rowCount, 0);
  const rowtype = columns.map((column) => ({ nullable: true, database: '', schema: '', table: '', ...column }));
  return done({
    parameters: [],
    rowtype,
    rowset: rows,
    total,
    returned: total,
    queryId: QUERY_ID,
    finalDatabaseName: null,
    statementTypeId,
    version,
    queryResultFormat: 'json',
    ...(chunks !== undefined && { chunks, chunkHeaders: {} }),
  });
}
