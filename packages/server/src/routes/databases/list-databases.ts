import * as z from 'zod';
import { hasScope, knowsDatabase } from '../../caller/scopes.ts';
import { SCOPES } from '../../contract.ts';
import type { Route } from '../route.ts';

const OUTPUT = z.object({
  databases: z.array(z.object({ name: z.string(), title: z.string().optional(), scopes: z.array(z.enum(SCOPES)) })),
});

/** The databases of a caller, with what they may do there. */
export const listDatabases: Route = {
  method: 'GET',
  path: '/v1/databases',
  scope: 'catalog',
  summary: 'List the databases of the caller, with what they may do there',
  output: OUTPUT,
  handle: ({ caller, parts }) => ({
    databases: [...parts.databases]
      .filter(([name]) => knowsDatabase(caller, name))
      .map(([name, { title }]) => ({ name, title, scopes: SCOPES.filter((scope) => hasScope(caller, scope, name)) })),
  }),
};
