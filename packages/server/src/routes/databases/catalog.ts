import * as z from 'zod';
import type { Route } from '../route.ts';
import { callTool } from '../sql/call-tool.ts';

const CATALOG = z.looseObject({
  dialect: z.string(),
  name: z.string(),
  schema: z.looseObject({ relations: z.array(z.looseObject({ name: z.string() })) }),
});

/** The structure of a database: no cells. */
export const showCatalog: Route = {
  method: 'GET',
  path: '/v1/databases/:database/catalog',
  scope: 'catalog',
  summary: 'Show relations, columns, keys and comments',
  output: CATALOG,
  async handle(call) {
    const { text2sql } = await call.database(call.param('database'));
    return text2sql.catalog({ signal: call.signal });
  },
};

const SEARCH = z.strictObject({
  words: z.string().max(1_000).optional().describe('Default: all relations.'),
  detail: z.enum(['names', 'summary', 'full']).optional().describe('Default: `summary`.'),
  limit: z.coerce.number().int().min(1).max(100).optional().describe('Default: 10.'),
});
const FOUND = z.looseObject({
  dialect: z.string(),
  relations: z.array(z.looseObject({ name: z.string() })),
  total: z.int(),
  truncated: z.string().optional(),
});

/** Relations by words, the best first. */
export const searchCatalog: Route = {
  method: 'GET',
  path: '/v1/databases/:database/search',
  scope: 'catalog',
  summary: 'Find relations and columns by words',
  query: SEARCH,
  output: FOUND,
  async handle(call) {
    const database = await call.database(call.param('database'));
    return callTool(call, database, 'search_catalog', call.query(SEARCH));
  },
};
