/**
 * The program of the worker thread: `@askema/sql-parser/worker`. The parser starts it; it is of no use by itself.
 */
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { ParseResult } from '@askema/sql';
import { type BackEnd, BackEndBroken } from './back-end.ts';
import { describeQuery, type ParsedDialect } from './describe-query.ts';
import { type FromWorker, PROTOCOL_VERSION, type ToWorker, type WorkerSettings } from './protocol.ts';

const dialects = new Map<number, ParsedDialect>();

function post(message: FromWorker): void {
  parentPort?.postMessage(message);
}

function parse(
  backEnd: BackEnd,
  settings: WorkerSettings,
  { id, sql, dialect: number }: Extract<ToWorker, { readonly type: 'parse' }>,
): FromWorker {
  const dialect = dialects.get(number);
  if (dialect === undefined) return { type: 'broken', id, message: `dialect ${number} was not sent` };
  try {
    return resultOf(id, describeQuery(sql, dialect, backEnd, settings.limits));
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    // Too deep a tree for this thread's stack harms nothing but the one parse.
    if (thrown instanceof BackEndBroken || !(thrown instanceof RangeError)) return { type: 'broken', id, message };
    const reason = `The query is nested too deeply to be parsed (${message}).`;
    return resultOf(id, { ok: false, failure: 'too complex', reason });
  }
}

function resultOf(id: number, result: ParseResult): FromWorker {
  return { type: 'result', id, json: JSON.stringify(result) };
}

async function load(settings: WorkerSettings): Promise<BackEnd> {
  if (settings.backEnd === 'node-sql-parser')
    return await (await import('./node-sql-parser/load.ts')).loadNodeSqlParser();
  return await (await import('./sqlparser-ts/load.ts')).loadSqlparserTs();
}

function isMissing(thrown: unknown): boolean {
  const code = thrown instanceof Error ? (thrown as { readonly code?: unknown }).code : undefined;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}

async function start(settings: WorkerSettings): Promise<void> {
  if (settings.protocol !== PROTOCOL_VERSION) {
    post({
      type: 'unusable',
      reason: 'protocol',
      message: `it speaks protocol ${PROTOCOL_VERSION}, not ${settings.protocol}`,
    });
    return;
  }
  let backEnd: BackEnd;
  try {
    backEnd = await load(settings);
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    post({ type: 'unusable', reason: isMissing(thrown) ? 'dependency' : 'other', message });
    return;
  }
  parentPort?.on('message', (message: ToWorker) => {
    if (message.type === 'dialect') dialects.set(message.number, message.dialect);
    else post(parse(backEnd, settings, message));
  });
  post({ type: 'ready' });
}

if (isMainThread) {
  process.stderr.write('This program is started by @askema/sql-parser; it does nothing by itself.\n');
  process.exitCode = 2;
} else await start(workerData as WorkerSettings);
