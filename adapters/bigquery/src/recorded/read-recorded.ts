import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RestField } from '../rest-types.ts';

const DATA = process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url));

/** Responses that were recorded from the real BigQuery; larger data that is not part of the repository. */
const RECORDED = path.join(DATA, 'bigquery-recorded');

export const hasRecorded = existsSync(RECORDED);
const SKIPPED = `SKIPPED: ${RECORDED} is not there. Set ASKEMA_DATA to the folder that holds bigquery-recorded.`;
// biome-ignore lint/suspicious/noConsole: a test that is skipped says so
if (!hasRecorded) console.warn(SKIPPED);

/** One statement and what BigQuery answered, as the Python client read it. */
export interface RecordedStatement {
  readonly name: string;
  readonly 'query.sql': string;
  readonly 'expected.json': {
    readonly schema?: readonly RestField[];
    readonly rows?: readonly Readonly<Record<string, unknown>>[];
    readonly error?: { readonly reason: string; readonly http_status: number; readonly message_sample: string };
    readonly job_metadata?: { readonly statement_type?: string };
  };
}

/** One exchange over the REST interface; what differs from run to run is `<*>`. */
export interface RecordedExchange {
  readonly name: string;
  readonly 'request.json': { readonly method: string; readonly path: string; readonly body?: unknown };
  readonly 'expected_response.json': { readonly http_status: number; readonly body?: unknown };
}

export const recordedStatements = (): readonly RecordedStatement[] => read<RecordedStatement>('sql_corpus.jsonl');
export const recordedExchanges = (): readonly RecordedExchange[] => read<RecordedExchange>('http_corpus.jsonl');

/** Python writes what JSON lacks as bare words, and whole numbers with all their digits: both are read as text. */
const NOT_JSON = /([:[,] ?)(NaN|-?Infinity|-?\d{16,})(?=[,\]}])/g;

function read<T>(file: string): readonly T[] {
  if (!hasRecorded) return [];
  const lines = readFileSync(path.join(RECORDED, file), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line.replace(NOT_JSON, '$1"$2"')) as T);
}
