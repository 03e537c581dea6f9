import { hasScope, knowsDatabase } from '../caller/scopes.ts';
import { SCOPES } from '../contract.ts';
import type { Route } from './route.ts';

/** The databases of a caller, with what they may do there. */
export const databases: Route = {
  method: 'GET',
  path: '/v1/databases',
  scope: 'catalog',
  handle: ({ caller, parts }) => ({
    databases: [...parts.databases]
      .filter(([name]) => knowsDatabase(caller, name))
      .map(([name, { title }]) => ({ name, title, scopes: SCOPES.filter((scope) => hasScope(caller, scope, name)) })),
  }),
};
