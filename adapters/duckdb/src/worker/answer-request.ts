import type { Conversation, LastAnswer } from '@askema/adapter-kit/process';
import type { Access } from '@askema/core';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { DuckdbTalk, WorkerRequest } from '../protocol.ts';
import { checkStatement } from './check-statement.ts';
import type { Driver } from './driver.ts';
import type { Engine } from './open-engine.ts';
import { readCatalog } from './read-catalog.ts';
import { runQuery } from './run-query.ts';

/** Answers a request on a connection of its own, so that several are answered at a time. */
export async function answerRequest(
  driver: typeof Driver,
  engine: Engine,
  request: WorkerRequest,
  conversation: Conversation<DuckdbTalk>,
): Promise<LastAnswer<DuckdbTalk>> {
  const connection = await engine.take();
  try {
    conversation.throwIfStopped();
    conversation.onStop(() => connection.interrupt());
    if (grantedTo(request, engine) === 'read') await engine.guard.lookAround(connection);
    if (request.type === 'query') return await runQuery(driver, engine, connection, request, conversation);
    const value = await lookUp(engine, connection, request, conversation);
    conversation.send({ type: 'value', value });
    return { type: 'end' };
  } finally {
    conversation.release();
    engine.give(connection);
  }
}

/** Checks and the catalog only read. */
function grantedTo(request: WorkerRequest, { access }: Engine): Access {
  return request.type === 'query' && request.access === 'write' ? access : 'read';
}

function lookUp(
  engine: Engine,
  connection: DuckDBConnection,
  request: Exclude<WorkerRequest, { type: 'query' }>,
  conversation: Conversation<DuckdbTalk>,
): Promise<unknown> {
  return request.type === 'check'
    ? checkStatement(engine, connection, request)
    : readCatalog(engine, connection, conversation);
}
