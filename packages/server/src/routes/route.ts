import type { Runtime } from '@askema/core';
import type { SqlParser } from '@askema/sql';
import type { DesignOutcome } from '@askema/text2schema';
import type { z } from 'zod';
import type { Caller, Scope, ServedDatabase, ServerOptions } from '../contract.ts';
import type { DatabasePool, OpenDatabase } from '../databases/database-pool.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { DescribedRoute } from '../openapi/described-route.ts';
import type { RunQueue } from '../queue/run-queue.ts';
import type { LiveRuns } from '../runs/live-runs.ts';
import type { RunRecords } from '../runs/run-records.ts';

/** What all routes share. */
export interface ServerParts {
  readonly databases: ReadonlyMap<string, ServedDatabase>;
  readonly pool: DatabasePool;
  readonly limiter: Limiter;
  readonly runtime: Runtime;
  readonly isDraining: () => boolean;
  readonly records: RunRecords;
  readonly live: LiveRuns;
  readonly designs: LiveRuns<DesignOutcome>;
  readonly audit: ServerOptions['audit'];
  /** Where questions go that several servers share. */
  readonly queue: RunQueue | undefined;
  readonly metrics: Metrics;
  readonly design: ServerOptions['design'];
  readonly evaluations: ServerOptions['evaluations'];
  /** Of statements that are checked. */
  readonly parser: SqlParser;
  /** Before all paths, in the description of the server. */
  readonly basePath: string;
  /** All that the server has. */
  readonly routes: readonly Route[];
}

/** A request whose sender is known and whose scope was checked. */
export interface RouteCall {
  readonly request: Request;
  readonly requestId: string;
  readonly caller: Caller;
  readonly parts: ServerParts;
  /** Fires when the sender has gone, and when the server stops. */
  readonly signal: AbortSignal;
  /** A part of the path, by its name there. */
  param(name: string): string;
  /** The body, checked. Rejects with `INPUT_INVALID` and `REQUEST_TOO_LARGE`. */
  body<T>(schema: z.ZodType<T>): Promise<T>;
  /** The query of the address, checked; of a name that is there twice, the last value. @throws AskemaError `INPUT_INVALID` */
  query<T>(schema: z.ZodType<T>): T;
  /**
   * A database for as long as the response lasts. Rejects with `DATABASE_NOT_FOUND` for one that is not there or that the
   * caller has no scope for at all, with `CALLER_REFUSED` where this scope is missing, and with what opening it rejects
   * with.
   */
  database(name: string, scope?: Scope): Promise<OpenDatabase>;
  /** Says which question the statements are for, and counts it. @throws AskemaError `LIMIT_EXCEEDED` */
  beginQuestion(question: string): void;
  /** Takes a place for a question until the response is over. @throws AskemaError `LIMIT_EXCEEDED` if none is free. */
  holdQuestion(): void;
}

/** Of a request what asking takes: a question may be worked on by another server than the one that was asked. */
export type AskingCall = Pick<RouteCall, 'caller' | 'parts' | 'database'>;

/** One method of one path. */
export interface Route extends DescribedRoute {
  /** A response, or what is sent as JSON with status 200. */
  handle(call: RouteCall): Promise<Response | object> | Response | object;
}
