import { randomBytes } from 'node:crypto';
import { type Solver, systemRuntime } from '@askema/core';
import type { ToolDatabase } from '@askema/tools';
import { hasScope, knowsDatabase } from '../caller/scopes.ts';
import type { ServerOptions } from '../contract.ts';
import type { OpenDatabase } from '../databases/database-pool.ts';
import { knowledgeText } from '../knowledge/knowledge-text.ts';
import type { Route, RouteCall } from '../routes/route.ts';
import { hostOf } from '../security/check-origin.ts';
import { catalogResources, type KnowledgeTexts } from './catalog-resources.ts';
import type { McpServed } from './contract.ts';
import { designTools } from './design-tools.ts';
import { givenWith, mcpEndpoint } from './mcp-endpoint.ts';
import { mcpFactory } from './mcp-factory.ts';
import { challenged, METADATA_PATH, protectedResource } from './protected-resource.ts';
import { publicTool } from './public-tool.ts';
import { signedHandles } from './signed-handles.ts';
import { type CallerDatabase, toolsOfCaller } from './tools-of-caller.ts';
import { waitingQuestions } from './waiting-questions.ts';

const PATH = '/mcp';

export interface McpRoutes {
  readonly routes: readonly Route[];
  /** The response, where it is a 401 of the endpoint with the address of the metadata. */
  challenge(request: Request, response: Response): Response;
}

/** The endpoint `/mcp`, and the metadata by which its clients find who gives tokens. */
export function mcpRoutes({ mcp = {}, runtime: given, maxBodyBytes, basePath = '' }: ServerOptions): McpRoutes {
  const runtime = systemRuntime(given);
  const key = mcp.key ?? randomBytes(32);
  const handlesOf = ({ caller }: RouteCall) => signedHandles({ key, owner: caller, clock: runtime.clock });
  const endpoint = mcpEndpoint({
    factory: mcpFactory({ serve: givenWith<McpServed> }),
    maxBodyBytes,
    onError: (error) => runtime.logger.debug('A request of MCP failed', { message: error.message }),
  });
  const resourceOf = (request: Request): string => {
    const { protocol, host } = new URL(request.url);
    return mcp.url ?? new URL(basePath + PATH, `${protocol}//${hostOf(request) ?? host}`).href;
  };
  const handle = async (call: RouteCall): Promise<Response> =>
    endpoint.fetch(call.request, { ...(await servedTo(call, handlesOf(call))), within: mcp.within }, call.signal);
  const methods = ['POST', 'GET', 'DELETE'] as const;
  return {
    routes: [
      // GET and DELETE were for sessions of older revisions: clients try them, and get a 405.
      ...methods.map((method): Route => ({ method, path: PATH, scope: 'any', handle })),
      {
        method: 'GET',
        path: METADATA_PATH,
        scope: 'none',
        handle: ({ request }) =>
          protectedResource({
            resource: resourceOf(request),
            authorizationServers: mcp.authorizationServers ?? [],
          }),
      },
    ],
    challenge: (request, response) =>
      new URL(request.url).pathname === basePath + PATH ? challenged(response, resourceOf(request)) : response,
  };
}

/** What a caller may use: of the databases that can be opened now. Rejects where none can. */
async function servedTo(call: RouteCall, handles: McpServed['handles']): Promise<McpServed> {
  const { caller, parts, requestId } = call;
  const names = [...parts.databases.keys()].filter((name) => knowsDatabase(caller, name));
  const opened = await Promise.allSettled(names.map((name) => call.database(name)));
  const open = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = opened.find((one) => one.status === 'rejected');
  if (open.length === 0 && failed !== undefined) throw failed.reason;
  const databases = Object.fromEntries(open.map((database) => [database.name, forTools(database, call)]));
  const model = open.find(({ name, answersQuestions }) => answersQuestions && hasScope(caller, 'ask', name))?.reader;
  const given = toolsOfCaller(caller, {
    ...{ databases, handles, parser: parts.parser, design: designTools(call) },
    ...(model === undefined ? {} : { model: withinLimits(model, call), waiting: waitingQuestions(call) }),
  });
  const tools = given.map((tool) => publicTool(tool, requestId));
  const readable = Object.entries(databases).filter(([name]) => hasScope(caller, 'catalog', name));
  const resources = catalogResources(Object.fromEntries(readable), knowledgeTexts(call, open));
  return { tools, handles, resources, context: { tenant: caller.tenant } };
}

/** Who may ask nothing more has nothing read either. */
function withinLimits(reader: Solver, { caller, parts }: RouteCall): Solver {
  return {
    ...reader,
    supports: (task) => reader.supports(task),
    async solve(task, input, context) {
      parts.limiter.of(caller).checkQuestion();
      return reader.solve(task, input, context);
    },
  };
}

/** What the business means by its words, where the caller may read that. */
function knowledgeTexts({ caller, parts }: RouteCall, open: readonly OpenDatabase[]): KnowledgeTexts {
  const texts = open.flatMap(({ name, keepsBack }) => {
    const { knowledge } = parts.databases.get(name) ?? {};
    if (keepsBack || knowledge === undefined || !hasScope(caller, 'knowledge:read', name)) return [];
    return [[name, () => knowledgeText(knowledge, caller)] as const];
  });
  return Object.fromEntries(texts);
}

/** Questions are counted for who asks. */
function forTools({ text2sql, ...database }: OpenDatabase, call: RouteCall): CallerDatabase & ToolDatabase {
  return {
    ...database,
    text2sql: {
      ...text2sql,
      async ask(question, options) {
        call.holdQuestion();
        call.beginQuestion(question);
        return text2sql.ask(question, options);
      },
      async resume(runId, options) {
        call.holdQuestion();
        call.beginQuestion(String(options?.answer ?? ''));
        return text2sql.resume(runId, options);
      },
    },
  };
}
