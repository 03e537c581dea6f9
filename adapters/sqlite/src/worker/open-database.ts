import type { OpenedProcess } from '@askema/adapter-kit/process';
import type { SqliteTalk, WorkerRequest, WorkerSettings } from '../protocol.ts';
import { checkStatement } from './check-statement.ts';
import type { Driver } from './driver.ts';
import { explainFailure } from './explain-failure.ts';
import { createHandles, type Handles } from './handles.ts';
import { readCatalog, readColumns } from './read-catalog.ts';
import { readDiagnosis } from './read-diagnosis.ts';
import { readStructure } from './read-structure.ts';
import { runChanging } from './run-change.ts';
import { runReading } from './run-query.ts';

/** Answers requests. The file is opened ahead of them; what is wrong with it, the first one tells. */
export function openDatabase(driver: Driver, settings: WorkerSettings): OpenedProcess<SqliteTalk> {
  const handles = createHandles(driver, settings);
  readAhead(handles, settings);
  return {
    ready: {},
    async answer(request, conversation) {
      if (request.type === 'query')
        return request.access === 'write'
          ? runChanging(handles, request, conversation)
          : runReading(handles, request, conversation);
      if (request.type === 'columns') return readColumns(handles.reader(), request.relations, conversation);
      conversation.send({ type: 'value', value: lookUp(handles, request) });
      return { type: 'end' };
    },
    explain: (thrown, request) =>
      explainFailure(thrown, 'sql' in request ? request.sql : undefined, () => handles.reader()),
  };
}

/**
 * Lets SQLite read its schema, for which it takes half a second of 20,000 tables: other processes take the requests
 * meanwhile. It waits for no lock.
 */
function readAhead(handles: Handles, { busyTimeoutMs }: WorkerSettings): void {
  try {
    const reader = handles.reader();
    reader.pragma('busy_timeout = 0');
    try {
      reader.prepare('SELECT 1 FROM sqlite_schema');
    } finally {
      reader.pragma(`busy_timeout = ${busyTimeoutMs}`);
    }
  } catch {
    // The first request meets the same, and tells it.
  }
}

function lookUp(handles: Handles, request: Exclude<WorkerRequest, { type: 'query' | 'columns' }>): unknown {
  switch (request.type) {
    case 'check':
      return handles.read((reader) => checkStatement(reader, request.sql));
    case 'catalog':
      return handles.read(readCatalog);
    case 'diagnose':
      return handles.read(readDiagnosis);
    case 'structure':
      return handles.read(readStructure);
  }
}
