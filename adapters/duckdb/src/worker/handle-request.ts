import type { DuckDBConnection } from '@duckdb/node-api';
import type { FromWorker, ToWorker, WorkerRequest } from '../protocol.ts';
import { checkStatement } from './check-statement.ts';
import { Conversation } from './conversation.ts';
import type { Driver } from './driver.ts';
import type { Engine } from './open-engine.ts';
import { readCatalog } from './read-catalog.ts';
import { answerOf } from './request-failure.ts';
import { runQuery } from './run-query.ts';

/** Answers the requests of the caller's process, several at a time, each on a connection of its own. */
export interface RequestHandler {
  receive(message: Exclude<ToWorker, { type: 'open' }>): void;
  /**
   * Closes the database. False when a statement runs: then closing, and an orderly end of the process, would wait for
   * it.
   */
  close(): boolean;
}

export function createRequestHandler(
  driver: typeof Driver,
  engine: Engine,
  post: (message: FromWorker) => void,
): RequestHandler {
  const running = new Map<number, Conversation>();

  async function answer(id: number, request: WorkerRequest, conversation: Conversation): Promise<void> {
    let connection: DuckDBConnection | undefined;
    try {
      connection = await engine.take();
      const used = connection;
      conversation.throwIfStopped();
      conversation.onStop(() => used.interrupt());
      await answerOn(driver, engine, used, request, conversation);
    } catch (thrown) {
      conversation.send({ type: 'failed', failure: conversation.isStopped ? { kind: 'stopped' } : answerOf(thrown) });
    } finally {
      conversation.release();
      running.delete(id);
      if (connection !== undefined) engine.give(connection);
    }
  }

  return {
    receive(message) {
      if (message.type !== 'request') {
        running.get(message.id)?.hear(message.type);
        return;
      }
      const { id, request } = message;
      const conversation = new Conversation((part) => post({ type: 'answer', id, answer: part }));
      running.set(id, conversation);
      void answer(id, request, conversation);
    },
    close() {
      if (running.size === 0) engine.close();
      return running.size === 0;
    },
  };
}

async function answerOn(
  driver: typeof Driver,
  engine: Engine,
  connection: DuckDBConnection,
  request: WorkerRequest,
  conversation: Conversation,
): Promise<void> {
  switch (request.type) {
    case 'query':
      return runQuery(driver, engine, connection, request, conversation);
    case 'check':
      conversation.send({ type: 'value', value: await checkStatement(engine, connection, request) });
      return conversation.send({ type: 'end' });
    case 'catalog':
      conversation.send({ type: 'value', value: await readCatalog(engine, connection, conversation) });
      return conversation.send({ type: 'end' });
  }
}
