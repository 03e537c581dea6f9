import {
  AskemaError,
  createCallContext,
  encodeValue,
  type InspectionFinding,
  QUERY_DEFAULTS,
  type Row,
  type RowStream,
} from '@askema/core';
import { inspectSql } from '@askema/lint';
import * as z from 'zod';
import type { OpenDatabase } from '../../databases/database-pool.ts';
import { JSON_LINES, jsonLines } from '../../events/event-stream.ts';
import { COLUMN, DATABASE_NAME, FINDING, ROWS, SQL } from '../../openapi/schemas.ts';
import { accepts } from '../accepts.ts';
import { chooseDatabase } from '../choose-database.ts';
import { leavingWith } from '../leaving.ts';
import type { Route, RouteCall } from '../route.ts';

const BODY = z.strictObject({
  sql: SQL,
  database: DATABASE_NAME.optional().describe('Needed where the caller may use several.'),
  maxRows: z.int().min(1).optional().describe(`Default: ${QUERY_DEFAULTS.maxRows}; as JSON lines, all rows.`),
});

const OUTPUT = z.object({
  columns: z.array(COLUMN),
  rows: ROWS,
  rowCount: z.int(),
  truncated: z.enum(['rows', 'bytes']).optional(),
  elapsedMs: z.number(),
  findings: z.array(FINDING).describe('What the statement is warned of.'),
});

/** Runs a person's statement. */
export const runSql: Route = {
  method: 'POST',
  path: '/v1/sql',
  scope: 'sql',
  summary: 'Run one statement that reads',
  description:
    'It is checked first; with a finding that is an error it does not run. With `Accept: application/x-ndjson`: a line `columns`, lines `rows`, and `end`, or `error`, last.',
  body: BODY,
  output: OUTPUT,
  media: [JSON_LINES],
  async handle(call) {
    const { sql, database: name, maxRows } = await call.body(BODY);
    const database = await chooseDatabase(call, name, 'sql');
    const findings = await inspected(call, database, sql);
    const error = findings.find(({ severity }) => severity === 'error');
    if (error !== undefined)
      throw new AskemaError('QUERY_REFUSED', `The statement was not run: ${error.message}`, {
        details: { issues: findings },
      });
    const left = leavingWith(call.signal);
    const { signal } = left;
    const isStreamed = accepts(call.request, JSON_LINES);
    const limits = isStreamed
      ? { maxRows }
      : { maxRows: maxRows ?? QUERY_DEFAULTS.maxRows, maxBytes: QUERY_DEFAULTS.maxBytes };
    const stream = await database.text2sql.stream(sql, { ...limits, signal });
    const parts = call.parts.limiter.large.paced(stream, { caller: call.caller, signal });
    if (!isStreamed) return oneJson(stream, parts, findings);
    // A reader who has gone before the first line leaves nobody else to end the statement.
    const stop = (): void => void stream.close().catch(() => undefined);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    return jsonLines(linesOf(stream, parts, findings), { requestId: call.requestId, onLeft: () => left.abort() });
  },
};

/** The most that are told. */
const MAX_FINDINGS = 20;
const PLAN_MS = 10_000;

/**
 * What is found in a statement that is about to run. The engine, which will say itself what it thinks of it, is asked
 * before only where the parser cannot read it.
 */
async function inspected(call: RouteCall, { adapter, text2sql }: OpenDatabase, sql: string) {
  const { signal, caller, parts } = call;
  const options = {
    ...{ catalog: await text2sql.catalog({ signal }), dialect: adapter.dialect, parser: parts.parser, signal },
    context: createCallContext({ path: 'check', signal, tenant: caller.tenant }),
  };
  const { findings: found, parsed } = await inspectSql(sql, options);
  const isDoubted = !parsed && found.some(({ severity }) => severity === 'error');
  const { findings } = isDoubted
    ? await inspectSql(sql, { ...options, planner: adapter.planner })
    : { findings: found };
  // A name that is hidden looks like a slip here. The adapter knows better, and writes the attempt into the audit.
  const isWrong = !isDoubted && findings.some(({ severity }) => severity === 'error');
  if (isWrong) await adapter.planner.check(sql, { timeoutMs: PLAN_MS, context: options.context });
  const rank = ({ severity }: InspectionFinding): number => (severity === 'error' ? 0 : 1);
  return [...findings].sort((a, b) => rank(a) - rank(b)).slice(0, MAX_FINDINGS);
}

/** The rows of a stream, as they are to come. */
type Parts = AsyncIterable<readonly Row[]>;

/** Rows become text as they come: to write a large result in one piece would hold up all others. */
async function oneJson(stream: RowStream, parts: Parts, findings: readonly object[]): Promise<Response> {
  const texts: string[] = [];
  let count = 0;
  for await (const part of parts) {
    count += part.length;
    if (part.length > 0) texts.push(JSON.stringify(part.map(encoded)).slice(1, -1));
  }
  const rest = JSON.stringify({ ...endOf(stream, count), findings }).slice(1);
  const body = `{"columns":${JSON.stringify(stream.columns)},"rows":[${texts.join()}],${rest}`;
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}

async function* linesOf(
  stream: RowStream,
  parts: Parts,
  findings: readonly object[],
): AsyncGenerator<object, void, undefined> {
  yield { type: 'columns', columns: stream.columns, findings };
  let count = 0;
  for await (const part of parts) {
    count += part.length;
    yield { type: 'rows', rows: part.map(encoded) };
  }
  yield { type: 'end', ...endOf(stream, count) };
}

function endOf({ end }: RowStream, rowCount: number): object {
  const { truncated, elapsedMs = 0 } = (end ?? {}) as { readonly truncated?: string; readonly elapsedMs?: number };
  return { rowCount, elapsedMs, ...(truncated === undefined ? {} : { truncated }) };
}

function encoded(row: Row): readonly unknown[] {
  return row.map((value) => encodeValue(value));
}
