import * as z from 'zod';
import type { DescribedRoute } from './described-route.ts';
import { OUTCOME, PUBLIC_ERROR, RUN, TURN } from './schemas.ts';

type Json = Readonly<Record<string, unknown>>;

/** Schemas that stand in the description once, by their names. */
const NAMED = { Outcome: OUTCOME, Turn: TURN, Run: RUN, Error: PUBLIC_ERROR } as const;

/** The status of errors that each route may answer with. */
const ERRORS = { '400': 'What was sent cannot be used.', default: 'An error, by its code.' } as const;

/** The routes as OpenAPI 3.1 describes them. */
export function writeOpenApi(routes: readonly DescribedRoute[], basePath: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes.filter(({ summary }) => summary !== undefined)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const operations = paths[path] ?? {};
    operations[route.method.toLowerCase()] = operationOf(route);
    paths[path] = operations;
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Askema',
      version: '1',
      description: 'Questions in plain language, SQL and catalogs of the databases that this server has.',
    },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(
        Object.entries(NAMED).map(([name, schema]) => [name, jsonSchema(schema, 'output', name)]),
      ),
    },
  };
}

function operationOf(route: DescribedRoute): Json {
  const { summary, description, scope, query, body } = route;
  const parameters = [...pathParameters(route.path), ...queryParameters(query), ...headers(route)];
  const about = [description, ...(scope === 'none' ? [] : [`Needs the scope \`${scope}\`.`])];
  return {
    operationId: operationId(route),
    summary,
    description: about.filter((text) => text !== undefined).join(' '),
    ...(scope === 'none' ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body, 'input') } } } }),
    responses: responsesOf(route),
  };
}

/** `postRunsRunAnswer`: made of the path, so that a new route has one too. */
function operationId({ method, path }: Pick<DescribedRoute, 'method' | 'path'>): string {
  const words = path
    .replace(/\.\w+$/, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '' && word !== 'v1');
  return method.toLowerCase() + words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');
}

function responsesOf({ output, media = [] }: DescribedRoute): Json {
  const json = output === undefined ? {} : { 'application/json': { schema: jsonSchema(output, 'output') } };
  const others = media.map((type) => [type, { schema: { type: 'string' } }] as const);
  const error = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return {
    '200': { description: 'Done.', content: { ...json, ...Object.fromEntries(others) } },
    ...Object.fromEntries(
      Object.entries(ERRORS).map(([status, description]) => [status, { description, content: error }]),
    ),
  };
}

function pathParameters(path: string): readonly Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodObject | undefined): readonly Json[] {
  return Object.entries(query?.shape ?? {}).map(([name, field]) => {
    const { description, ...schema } = jsonSchema(field as z.ZodType, 'output');
    const isRequired = !(field as z.ZodType).safeParse(undefined).success;
    return { name, in: 'query', required: isRequired, ...(description === undefined ? {} : { description }), schema };
  });
}

/** Where a request can be sent again without being done again. */
function headers({ method, path }: DescribedRoute): readonly Json[] {
  if (method !== 'POST' || path !== '/v1/ask') return [];
  return [{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 255 } }];
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output', own?: string): Json {
  const name = Object.entries(NAMED).find(([, named]) => named === schema)?.[0];
  if (name !== undefined && name !== own) return { $ref: `#/components/schemas/${name}` };
  const { $schema: _, ...json } = z.toJSONSchema(schema, { target: 'draft-2020-12', io, reused: 'inline' });
  return json;
}
