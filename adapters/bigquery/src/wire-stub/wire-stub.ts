import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request as it came over the wire. */
interface SeenRequest {
  readonly method: string;
  /** Below `/bigquery/v2`, without parameters. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: JobBody;
  readonly authorization: string | undefined;
}

/** The parts of request bodies that tests look at. */
interface JobBody {
  readonly jobReference?: { readonly jobId?: string; readonly location?: string };
  readonly configuration?: {
    readonly dryRun?: boolean;
    readonly labels?: Readonly<Record<string, string>>;
    readonly jobTimeoutMs?: string;
    readonly query?: {
      readonly query?: string;
      readonly maximumBytesBilled?: string;
      readonly parameterMode?: string;
      readonly queryParameters?: readonly unknown[];
      readonly defaultDataset?: unknown;
    };
  };
  readonly permissions?: readonly string[];
}

/** What the stub answers: a status and a body; `hang` never answers, `drop` breaks the connection, `half` breaks it within the body. */
export type StubAnswer =
  | { readonly status?: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | 'hang'
  | 'drop'
  | 'half';

/** Answers a request, or leaves it to the stub. */
export type StubBehaviour = (
  request: SeenRequest,
  nth: number,
) => StubAnswer | undefined | Promise<StubAnswer | undefined>;

/** A job that the stub holds. */
interface StubJob {
  readonly jobId: string;
  readonly body: JobBody;
  cancelled: boolean;
}

/** A server that speaks as much of BigQuery's REST interface as the adapter needs, and does as a test says. */
export interface WireStub {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  readonly jobs: ReadonlyMap<string, StubJob>;
  /** Requests of one kind, `POST jobs`, by the end of their path. */
  count(method: string, pathEnd: string): number;
  /** Connections that are open. */
  connections(): number;
  /** Breaks every connection and stops listening. */
  kill(): Promise<void>;
}

/** How the stub answers when a test does not say otherwise. */
export interface StubScript {
  /** Comes first. */
  readonly behaviour?: StubBehaviour | undefined;
  readonly schema?: unknown;
  /** Cells as they go over the wire. */
  readonly rows?: readonly (readonly unknown[])[] | undefined;
  readonly statementType?: string | undefined;
  readonly bytes?: number | undefined;
  /** The job never ends by itself. */
  readonly slow?: boolean | undefined;
  /** Of the dry run's statistics. */
  readonly statistics?: Readonly<Record<string, unknown>> | undefined;
}

/** Starts the stub on a free port of the loopback interface. */
export async function startWireStub(script: StubScript = {}): Promise<WireStub & AsyncDisposable> {
  const requests: SeenRequest[] = [];
  const jobs = new Map<string, StubJob>();
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = await readRequest(request);
    requests.push(seen);
    const nth = requests.filter((one) => one.method === seen.method && one.path === seen.path).length;
    const answer = (await script.behaviour?.(seen, nth)) ?? answerOf(seen, script, jobs);
    write(response, answer);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const kill = (): Promise<void> => closeServer(server, sockets);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    jobs,
    count: (method, pathEnd) => requests.filter((one) => one.method === method && one.path.endsWith(pathEnd)).length,
    connections: () => sockets.size,
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const url = new URL(request.url ?? '/', 'http://stub');
  return {
    method: request.method ?? 'GET',
    path: decodeURIComponent(url.pathname.replace('/bigquery/v2', '')),
    query: url.searchParams,
    body: text === '' ? {} : (JSON.parse(text) as JobBody),
    authorization: request.headers.authorization,
  };
}

function write(response: ServerResponse, answer: StubAnswer): void {
  if (answer === 'hang') return;
  if (answer === 'drop') {
    response.socket?.destroy();
    return;
  }
  if (answer === 'half') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"jobComplete": true, "ro', () => response.socket?.destroy());
    return;
  }
  response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
  response.end(JSON.stringify(answer.body ?? {}));
}

function closeServer(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** An answer of the API that says what is wrong. */
export function apiError(status: number, reason: string, message: string): StubAnswer {
  return { status, body: { error: { code: status, message, errors: [{ message, domain: 'global', reason }] } } };
}

function answerOf(request: SeenRequest, script: StubScript, jobs: Map<string, StubJob>): StubAnswer {
  const { method, path, body } = request;
  const [, , project = '', kind, jobId = '', verb] = path.split('/');
  if (method === 'POST' && kind === 'jobs' && jobId === '') {
    if (body.configuration?.dryRun === true) return { body: dryRunOf(script, project) };
    const id = body.jobReference?.jobId ?? `generated_${jobs.size}`;
    if (jobs.has(id)) return apiError(409, 'duplicate', `Already Exists: Job ${project}:US.${id}`);
    jobs.set(id, { jobId: id, body, cancelled: false });
    return { body: jobOf(jobs, id, script, project) };
  }
  if (kind === 'jobs' || kind === 'queries') {
    const job = jobs.get(jobId);
    if (job === undefined) return apiError(404, 'notFound', `Not found: Job ${project}:${jobId}`);
    if (verb === 'cancel') job.cancelled = true;
    if (kind === 'jobs')
      return {
        body: verb === 'cancel' ? { job: jobOf(jobs, jobId, script, project) } : jobOf(jobs, jobId, script, project),
      };
    if (job.cancelled) return apiError(499, 'stopped', 'Job execution was cancelled: User requested cancellation');
    return script.slow === true ? { body: { jobComplete: false } } : { body: pageOf(request, script) };
  }
  return apiError(404, 'notFound', `Not found: ${path}`);
}

function dryRunOf({ statementType = 'SELECT', bytes = 0, schema, statistics }: StubScript, project: string): unknown {
  const totalBytesProcessed = String(bytes);
  return {
    jobReference: { projectId: project, location: 'EU' },
    user_email: 'reader@example.com',
    statistics: { totalBytesProcessed, query: { statementType, totalBytesProcessed, schema, ...statistics } },
    status: { state: 'DONE' },
  };
}

function jobOf(jobs: ReadonlyMap<string, StubJob>, jobId: string, { slow }: StubScript, project: string): unknown {
  const job = jobs.get(jobId);
  const errorResult =
    job?.cancelled === true ? { reason: 'stopped', message: 'Job execution was cancelled' } : undefined;
  return {
    jobReference: { projectId: project, jobId, location: 'EU' },
    configuration: job?.body.configuration,
    status: { state: slow === true && errorResult === undefined ? 'RUNNING' : 'DONE', errorResult },
  };
}

function pageOf({ query }: SeenRequest, { rows = [], schema = { fields: [] }, bytes = 0 }: StubScript): unknown {
  const start = Number(query.get('pageToken') ?? 0);
  const end = start + Number(query.get('maxResults') ?? 1_000);
  return {
    jobComplete: true,
    schema,
    totalRows: String(rows.length),
    totalBytesProcessed: String(bytes),
    rows: rows.slice(start, end).map((cells) => ({ f: cells.map((v) => ({ v })) })),
    ...(end < rows.length ? { pageToken: String(end) } : {}),
  };
}
