import type { Answer, FromWorker, ToWorker, WorkerRequest, WorkerSettings } from '../protocol.ts';
import { checkStatement } from './check-statement.ts';
import { Conversation, Stopped } from './conversation.ts';
import type { Driver } from './driver.ts';
import { explainFailure } from './explain-failure.ts';
import { createHandles, type Handles } from './handles.ts';
import { readCatalog } from './read-catalog.ts';
import { readDiagnosis } from './read-diagnosis.ts';
import { runChanging } from './run-change.ts';
import { runReading } from './run-query.ts';

/** Takes every message but `open`. */
export type RequestHandler = (message: Exclude<ToWorker, { type: 'open' }>) => void;

/** Answers requests one after another; the caller sends the next one only when the last has ended. */
export function createRequestHandler(
  driver: Driver,
  settings: WorkerSettings,
  post: (message: FromWorker) => void,
): RequestHandler {
  const handles = createHandles(driver, settings);
  let current: { readonly id: number; readonly conversation: Conversation } | undefined;

  const start = async (id: number, request: WorkerRequest): Promise<void> => {
    const conversation = new Conversation((answer) => post({ type: 'answer', id, answer }));
    current = { id, conversation };
    const last = await answerRequest(handles, request, conversation);
    current = undefined;
    conversation.send(last);
  };

  return (message) => {
    if (message.type === 'request') void start(message.id, message.request);
    else if (message.id === current?.id) current.conversation[message.type]();
  };
}

/** Does the work, and returns the last part of the answer. */
async function answerRequest(handles: Handles, request: WorkerRequest, conversation: Conversation): Promise<Answer> {
  const sql = 'sql' in request ? request.sql : undefined;
  try {
    switch (request.type) {
      case 'query':
        return request.access === 'write'
          ? await runChanging(handles, request, conversation)
          : await runReading(handles, request, conversation);
      case 'check':
        conversation.send({ type: 'value', value: handles.read((reader) => checkStatement(reader, request.sql)) });
        return { type: 'end' };
      case 'catalog':
        conversation.send({ type: 'value', value: handles.read(readCatalog) });
        return { type: 'end' };
      case 'diagnose':
        conversation.send({ type: 'value', value: handles.read(readDiagnosis) });
        return { type: 'end' };
    }
  } catch (thrown) {
    if (thrown instanceof Stopped) return { type: 'end' };
    return { type: 'failed', failure: explainFailure(thrown, sql, () => handles.reader()) };
  }
}
