/**
 * The program of the process that reads an index: `@askema/value-index/worker`. It is started by `openValueIndex`, and
 * is of no use by itself. A file from anybody may keep SQLite busy for ever, and only a process can then be stopped.
 */
import { runProcess } from '@askema/adapter-kit/process';
import { toAskemaError } from '@askema/core';
import { MEMORY_MARK, PROTOCOL_VERSION, type ValueIndexTalk } from './search/protocol.ts';
import { openSearch, type SearchIndex } from './search/search-index.ts';
import { type Driver, loadDriver } from './store/driver.ts';

const MAX_MEMORY_BYTES = 1024 ** 3;

let driver: Driver;

let opened: SearchIndex | undefined;

async function answerOne(request: ValueIndexTalk['request']): Promise<unknown> {
  if (request.type === 'open') {
    opened?.close();
    opened = await openSearch(driver, request);
    return { embeddings: opened.embeddings };
  }
  // A process that was replaced is told again what to open.
  return opened === undefined ? undefined : { value: look(opened, request) };
}

function look(index: SearchIndex, request: Exclude<ValueIndexTalk['request'], { type: 'open' }>): unknown {
  switch (request.type) {
    case 'find':
      return index.find(request);
    case 'covers':
      return index.covers(request.attribute);
    case 'stats':
      return index.stats();
  }
}

runProcess<ValueIndexTalk>({
  packageName: '@askema/value-index',
  protocol: PROTOCOL_VERSION,
  memory: () => ({ bytes: MAX_MEMORY_BYTES, mark: MEMORY_MARK }),
  load: async () => {
    driver = await loadDriver();
  },
  open: async () => ({
    ready: {},
    answer: async (request, conversation) => {
      conversation.send({ type: 'value', value: await answerOne(request) });
      return { type: 'end' };
    },
    explain: (thrown) => {
      const { code, message, details, retryable } = toAskemaError(thrown);
      return { code, message, details: { ...details }, retryable };
    },
  }),
});
