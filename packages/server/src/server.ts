import { randomUUID } from 'node:crypto';
import { AskemaError, checkWhole, didYouMean, invalidOption, systemRuntime, toAskemaError } from '@askema/core';
import { createSqlParser } from '@askema/sql-parser';
import { Hono } from 'hono';
import { callerUnknown } from './caller/bearer-token.ts';
import { checkNames, isName } from './caller/check-caller.ts';
import type { AskemaServer, Authenticator, Caller, ServedDatabase, ServerOptions } from './contract.ts';
import { DatabasePool } from './databases/database-pool.ts';
import { errorResponse, loggedError, statusOf } from './errors/public-error.ts';
import { serverClosing } from './errors/server-closing.ts';
import { Limiter } from './limits/limiter.ts';
import { mcpRoutes } from './mcp/mcp-routes.ts';
import { Metrics } from './metrics/metrics.ts';
import { RunQueue } from './queue/run-queue.ts';
import { callRoute } from './routes/call-route.ts';
import { performQuestion } from './routes/questions/perform-question.ts';
import type { Route, ServerParts } from './routes/route.ts';
import { ROUTES } from './routes/routes.ts';
import { RunningWork } from './running-work.ts';
import { startForgetting } from './runs/forgetting.ts';
import { LiveRuns } from './runs/live-runs.ts';
import { recentJournal } from './runs/recent-journal.ts';
import { RunRecords } from './runs/run-records.ts';
import { createOriginCheck } from './security/check-origin.ts';
import { isLoopback } from './security/loopback.ts';
import { SECURITY_HEADERS } from './security/security-headers.ts';

interface Environment {
  readonly requestId: string;
  /** What the web server passes along. */
  readonly given: object;
}

/** A socket, or what @hono/node-server passes along. */
interface Bindings {
  readonly remoteAddress?: string | undefined;
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string | undefined } | undefined } | undefined;
}

const NOBODY: Caller = { subject: 'nobody', scopes: [] };

/**
 * One `fetch` handler for databases: it knows who asks, what they may do and how much, and writes down what it runs.
 * Nothing listens until a web server calls it.
 *
 * @throws AskemaError `CONFIG_INVALID` for options that cannot work.
 */
export function createServer(options: ServerOptions): AskemaServer {
  const mcp = mcpRoutes(options);
  const server = serveRoutes(options, [...ROUTES, ...mcp.routes]);
  return { ...server, fetch: async (request, env) => mcp.challenge(request, await server.fetch(request, env)) };
}

/** A server of other routes. */
export function serveRoutes(options: ServerOptions, routes: readonly Route[]): AskemaServer {
  const runtime = systemRuntime(options.runtime);
  const databases = checkedDatabases(options.databases);
  const limiter = new Limiter(options);
  const journal = options.journal ?? recentJournal();
  const forgetting = startForgetting({ journal, audit: options.audit, keep: options.keep, runtime });
  const parser = createSqlParser();
  const pool = new DatabasePool({ ...options, journal, databases, limiter, parser });
  const origins = createOriginCheck(options);
  const maxBodyBytes = checkWhole('maxBodyBytes', options.maxBodyBytes ?? 1024 * 1024);
  const work = new RunningWork();
  const metrics = new Metrics();
  const basePath = checkedBasePath(options.basePath ?? '');
  const queue =
    options.runner &&
    new RunQueue(sharedRunner(options.runner, options), (job, given) => performQuestion(parts, work, job, given));
  const parts: ServerParts = {
    ...{ databases, pool, limiter, runtime, metrics, basePath, routes, queue },
    isDraining: () => work.isDraining,
    records: new RunRecords(journal, runtime),
    live: new LiveRuns(),
    designs: new LiveRuns(),
    ...{ design: options.design, evaluations: options.evaluations, audit: options.audit },
    parser,
  };

  const serve = (route: Route) => async (request: Request, params: Record<string, string>, env: Environment) => {
    const isOpenToAll = route.scope === 'none';
    if (work.isDraining && !isOpenToAll) throw serverClosing();
    const caller = isOpenToAll ? NOBODY : await authenticate(options.auth, request, env.given);
    const { signal, over } = work.begin(request.signal);
    const incoming = { request, requestId: env.requestId, params, caller, signal, maxBodyBytes };
    return callRoute(route, incoming, { parts, over });
  };
  const app = new Hono<{ Bindings: Environment }>().basePath(basePath);
  for (const route of routes)
    app.on(route.method, route.path, async ({ req, env }) => {
      const started = performance.now();
      const response = await serve(route)(req.raw, req.param(), env).catch((thrown: unknown) =>
        failed(thrown, env.requestId),
      );
      metrics.request(`${route.method} ${route.path}`, response.status, performance.now() - started);
      return response;
    });
  app.notFound(({ req }) => {
    const path = req.path.slice(basePath.length, basePath.length + 200);
    const near = didYouMean(path, new Set(routes.map((route) => route.path))) || 'GET /openapi.json lists them.';
    throw new AskemaError('ROUTE_NOT_FOUND', `There is no route ${req.method} ${path}. ${near}`);
  });
  /** What was no fault of the caller is for the log. */
  const failed = (thrown: unknown, requestId: string): Response => {
    const error = toAskemaError(thrown);
    if (statusOf(error.code) >= 500) runtime.logger.warn('A request failed', { requestId, error: loggedError(error) });
    return errorResponse(error, requestId);
  };
  app.onError((thrown, context) => failed(thrown, context.env.requestId));

  const answer = async (request: Request, env: Environment): Promise<Response> => {
    try {
      origins.check(request);
      // A browser asks before it sends: the request itself is checked as any other.
      if (request.method === 'OPTIONS') return new Response(null, { status: 204 });
      return await app.fetch(request, env);
    } catch (thrown) {
      return failed(thrown, env.requestId);
    }
  };
  const close = async (): Promise<void> => {
    work.drain();
    // Before requests end: nobody is to think that their readers have left.
    await queue?.close();
    work.stop();
    await forgetting.stop();
    await pool.close();
    await parser.close();
    await options.audit?.close?.();
  };
  return {
    async fetch(request, env = {}) {
      const requestId = randomUUID();
      const response = await answer(request, { requestId, given: env });
      for (const [name, value] of Object.entries(SECURITY_HEADERS))
        if (!response.headers.has(name)) response.headers.set(name, value);
      for (const [name, value] of Object.entries(origins.corsHeaders(request))) response.headers.set(name, value);
      response.headers.set('x-request-id', requestId);
      return response;
    },
    async drain(ms = 10_000) {
      work.drain();
      await work.ended(ms);
    },
    close,
  };
}

/** Of the socket. A client cannot say it: what comes with a request is from the web server. */
function remoteAddressOf(env: object): string | undefined {
  const { remoteAddress, incoming } = env as Bindings;
  return remoteAddress ?? incoming?.socket?.remoteAddress;
}

/** What proxies say of themselves. */
const FORWARDED = /^(?:forwarded|via|x-forwarded-.*|x-(?:real|client)-ip|(?:true-client|cf-connecting)-ip)$/;

/** Without proof, only somebody on this machine is anyone. */
async function authenticate(auth: Authenticator, request: Request, env: object): Promise<Caller> {
  const remoteAddress = remoteAddressOf(env);
  const isForwarded = [...request.headers.keys()].some((name) => FORWARDED.test(name));
  if (auth.isOpen && (remoteAddress === undefined || !isLoopback(remoteAddress) || isForwarded))
    throw callerUnknown(
      'This server knows callers only by their being on its machine, and this request does not show that it is. Give `remoteAddress` to `fetch`, or use `keyAuth` or `jwtAuth`',
    );
  const caller = await auth.authenticate(request, env);
  if (caller !== undefined) return checkNames('auth', caller);
  throw new AskemaError('CALLER_UNKNOWN', 'The request does not say who sends it. Log in, and send it again.');
}

function checkedDatabases(databases: ServerOptions['databases']): ReadonlyMap<string, ServedDatabase> {
  const named = new Map(Object.entries(databases));
  if (named.size === 0) throw invalidOption('`databases` is empty; a server needs at least one.');
  for (const name of named.keys())
    if (!isName(name) || /[\s/@]/.test(name))
      throw invalidOption(`\`databases\` has ${JSON.stringify(name)}; a name has no blanks, "/" or "@".`);
  return named;
}

/** @throws AskemaError `CONFIG_INVALID`. */
function checkedBasePath(basePath: string): string {
  if (/^(?:\/[A-Za-z0-9._~-]+)*$/.test(basePath)) return basePath;
  throw invalidOption(
    `\`basePath\` is ${JSON.stringify(basePath)}; it begins with "/" and does not end with it: /api/askema`,
  );
}

/** Whoever goes on with a question finds there what was paid for. @throws AskemaError `CONFIG_INVALID`. */
function sharedRunner<Open>(open: Open, { journal }: ServerOptions): Open {
  if (journal !== undefined) return open;
  throw invalidOption('`runner` needs `journal`: the one that all servers of the queue share.');
}
