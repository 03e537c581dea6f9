import type { Route } from './route.ts';

/** Whether the server takes work: 200, or 503 while it drains. It says nothing of databases, because anybody may ask. */
export const health: Route = {
  method: 'GET',
  path: '/health',
  scope: 'none',
  handle: ({ parts }) =>
    parts.isDraining() ? Response.json({ status: 'draining' }, { status: 503 }) : { status: 'ok' },
};
