import type { z } from 'zod';
import type { Scope } from '../contract.ts';

/** What the description of the server tells of a route. */
export interface DescribedRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As Hono writes it: `/v1/databases/:database/ask`. */
  readonly path: string;
  /**
   * What the caller needs, for any database at least. `any`: only that they are known; the route looks at scopes itself.
   * `none`: nobody has to say who they are.
   */
  readonly scope: Scope | 'any' | 'none';
  /** What it does, in one line, and what else its reader must know. A route without it is not described: MCP has a protocol of its own. */
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly query?: z.ZodObject | undefined;
  readonly body?: z.ZodType | undefined;
  /** Of the JSON that it answers with; undefined where it answers with none. */
  readonly output?: z.ZodType | undefined;
  /** Further types that `Accept` may ask for, or those that it answers with where there is no `output`. */
  readonly media?: readonly string[] | undefined;
}
