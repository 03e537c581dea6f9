import * as z from 'zod';
import { writeOpenApi } from '../../openapi/write-openapi.ts';
import type { Route } from '../route.ts';

/** The description of all routes. */
export const showOpenApi: Route = {
  method: 'GET',
  path: '/openapi.json',
  scope: 'none',
  summary: 'This description',
  output: z.looseObject({ openapi: z.literal('3.1.1') }),
  handle: ({ parts }) => writeOpenApi(parts.routes, parts.basePath),
};
