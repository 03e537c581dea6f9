import type { CallContext } from '@askema/core';
import type { DriverStatement } from './driver.ts';
import { FAREWELL_MS, type Link, within } from './link.ts';
import type { Binding } from './session-http.ts';

export interface StatementRequest {
  readonly sql: string;
  readonly bindings?: Readonly<Record<string, Binding>> | undefined;
  /** Session parameters that hold for this statement alone. */
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  /** Compile only. */
  readonly describeOnly?: boolean | undefined;
}

/** A statement on its way. */
export interface RunningStatement {
  /** Resolves when the server has a result, rejects with what the driver reports or with what {@link RunningStatement.stop} was given. */
  readonly completed: Promise<DriverStatement>;
  /** Rejects `completed` at once, and asks the server to cancel. Resolves when the server has answered, or after a bounded time. */
  stop(reason: unknown): Promise<void>;
}

/** Sends a statement; it is stopped on the server by `stop`, whether or not the server has answered yet. */
export function startStatement({ connection, http }: Link, request: StatementRequest): RunningStatement {
  const { promise, resolve, reject } = Promise.withResolvers<DriverStatement>();
  promise.catch(() => undefined);
  http.reset();
  http.bindings = request.bindings;
  let isDone = false;
  let statement: DriverStatement | undefined;
  try {
    statement = connection.execute({
      sqlText: request.sql,
      parameters: request.parameters,
      ...(request.describeOnly === true && { describeOnly: true }),
      streamResult: true,
      rowMode: 'array',
      complete: (error: unknown, completed: DriverStatement) => {
        isDone = true;
        if (error === undefined || error === null) resolve(completed);
        else reject(error);
      },
    });
  } catch (error) {
    isDone = true;
    reject(error);
  }
  return {
    completed: promise,
    async stop(reason) {
      reject(reason);
      http.stopRetries();
      if (isDone || statement === undefined) return;
      const sent = statement;
      await within(FAREWELL_MS, (done) => sent.cancel(done));
    },
  };
}

/** Snowflake takes 2,000 characters. */
const MAX_LENGTH = 2_000;

/**
 * The QUERY_TAG of a statement, as JSON for QUERY_HISTORY: `{"app":"askema","run":…,"path":…,"tag":…,"tags":{…}}`. Tags that no longer fit
 * are left out.
 */
export function queryTagOf({ runId, path, tags, tenant }: CallContext, tag: string | undefined): string {
  const about = {
    app: 'askema',
    run: runId.slice(0, 200),
    path: path.slice(0, 300),
    tenant: tenant?.slice(0, 200),
    tag,
  };
  const kept: Record<string, string> = {};
  let text = JSON.stringify(about);
  for (const [name, value] of Object.entries(tags)) {
    const longer = JSON.stringify({ ...about, tags: { ...kept, [name]: value } });
    if (longer.length > MAX_LENGTH) continue;
    kept[name] = value;
    text = longer;
  }
  return text.slice(0, MAX_LENGTH);
}
