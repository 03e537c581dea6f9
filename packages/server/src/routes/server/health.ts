import * as z from 'zod';
import type { Route } from '../route.ts';

/** Whether the server takes work. It says nothing of databases, because anybody may ask. */
export const health: Route = {
  method: 'GET',
  path: '/health',
  scope: 'none',
  summary: 'Whether the server takes work',
  description: '503 while it drains.',
  output: z.object({ status: z.enum(['ok', 'draining']) }),
  handle: ({ parts }) =>
    parts.isDraining() ? Response.json({ status: 'draining' }, { status: 503 }) : { status: 'ok' },
};
