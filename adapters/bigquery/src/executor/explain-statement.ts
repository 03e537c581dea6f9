import { classifyError, startLimits } from '@askema/core';
import { bigqueryDialect } from '@askema/dialects';
import { isWord, nameOfToken, significantTokens } from '@askema/sql';
import type { OpenClient } from '../client/create-client.ts';
import type { JobRequest } from '../client/query-job.ts';
import type { DatasetName } from '../dataset-name.ts';
import { readDataset } from '../dataset-name.ts';
import { explainFailure } from '../errors/explain-failure.ts';
import { failureOf } from '../errors/rest-failure.ts';
import { withProject } from '../options.ts';

/** Looking for near names is a courtesy: it gets this long at most. */
const LOOKUP_MS = 3_000;

/** Tables whose columns are looked at, and tables of one dataset that are. */
const MOST_TABLES = 5;
const MOST_NAMES = 2_000;

/**
 * A thrown value as the error of its statement. For a name that BigQuery does not know, the names that are there are read (free of charge), so
 * that the error tells the nearest ones.
 */
export async function explainStatement(client: OpenClient, thrown: unknown, request: JobRequest): Promise<unknown> {
  const failure = failureOf(thrown);
  if (failure === undefined) return thrown;
  const { maximumBytesBilled } = client.options;
  const asked = { sql: request.sql, what: 'The query', maximumBytesBilled };
  const { status, reason: vendorCode, message } = failure;
  const isStatement = status !== undefined && status >= 400 && status < 500 && status !== 401;
  const { errorClass, name } = classifyError(bigqueryDialect, { vendorCode, message });
  if (!isStatement || errorClass !== 'identifier' || name === undefined) return explainFailure(failure, asked);
  return explainFailure(failure, { ...asked, names: await namesFor(client, request, message) });
}

async function namesFor(client: OpenClient, request: JobRequest, message: string): Promise<readonly string[]> {
  const timeoutMs = Math.max(1, Math.min(LOOKUP_MS, request.limits.remainingMs() / 2));
  const limits = startLimits({ timeoutMs, signal: request.limits.signal, what: 'Looking for names' });
  const names: string[] = [];
  try {
    const table = /not found: table ([^\s:]{1,100}):([^\s.]{1,1024})\./i.exec(message);
    const isUnqualified = /must be qualified with a dataset/i.test(message);
    if (table !== null || isUnqualified) {
      const datasets =
        table === null ? ownDatasets(client, request) : [{ project: table[1] ?? '', dataset: table[2] ?? '' }];
      for (const dataset of datasets.slice(0, MOST_TABLES))
        for await (const page of client.listTables(dataset, limits)) {
          names.push(...page.map(({ tableReference }) => tableReference.tableId));
          if (names.length >= MOST_NAMES) break;
        }
    } else if (/not found: dataset/i.test(message))
      names.push(
        ...(await client.listDatasets(request.project, limits)).map(
          ({ datasetReference }) => datasetReference.datasetId,
        ),
      );
    else
      for (const { dataset, table: tableName } of tablesIn(request)) {
        const { schema } = await client.getTable(dataset, tableName, limits).catch(() => ({ schema: undefined }));
        names.push(...(schema?.fields ?? []).map((field) => field.name));
      }
  } catch {
    // What was found until then is told.
  } finally {
    limits.release();
  }
  return names;
}

function ownDatasets(client: OpenClient, { project, dataset }: JobRequest): readonly DatasetName[] {
  if (client.options.datasets.length > 0) return client.options.datasets.map((one) => withProject(one, project));
  return dataset === undefined ? [] : [dataset];
}

/** Tables behind FROM and JOIN: `project.dataset.table`, quoted as a whole or in parts. */
function tablesIn({
  sql,
  dataset: fallback,
  project,
}: JobRequest): readonly { readonly dataset: DatasetName; readonly table: string }[] {
  const tokens = significantTokens(sql, bigqueryDialect.lexer);
  const found = new Map<string, { dataset: DatasetName; table: string }>();
  for (const [index, token] of tokens.entries()) {
    if (!isWord(token, 'FROM') && !isWord(token, 'JOIN')) continue;
    let path = '';
    for (let at = index + 1; at < tokens.length && at < index + 12; at++) {
      const part = tokens[at];
      if (part === undefined) break;
      const isName = part.kind === 'word' || part.kind === 'quotedName';
      if (isName && (path === '' || path.endsWith('.') || path.endsWith('-')))
        path += nameOfToken(part, bigqueryDialect.lexer) ?? '';
      else if (part.text === '.' || (part.text === '-' && path !== '')) path += part.text;
      else break;
    }
    const dot = path.lastIndexOf('.');
    const table = path.slice(dot + 1);
    const dataset = dot < 0 ? fallback : datasetOf(path.slice(0, dot), project);
    if (table !== '' && dataset !== undefined && found.size < MOST_TABLES) found.set(path, { dataset, table });
  }
  return [...found.values()];
}

function datasetOf(path: string, project: string): DatasetName | undefined {
  try {
    return withProject(readDataset('statement', path), project);
  } catch {
    return undefined;
  }
}
