import {
  boundedRows,
  type ExecuteOptions,
  type QueryExecutor,
  type ResultEvent,
  type Row,
  startLimits,
  throwIfNotWritable,
} from '@askema/core';
import type { OpenClient } from '../client/create-client.ts';
import { createRowDecoder } from '../client/decode-rows.ts';
import { type StartedJob, startJob } from '../client/query-job.ts';
import { resultColumns } from '../client/result-columns.ts';
import type { RestJob, RestQueryResults } from '../rest-types.ts';
import { explainStatement } from './explain-statement.ts';
import { prepareStatement, refuseTooDear } from './prepare-statement.ts';

/** Runs statements as jobs; see `QueryExecutor` of core. */
export function createExecutor(client: OpenClient): QueryExecutor {
  return { execute: (sql, options) => execute(client, sql, options) };
}

async function* execute(client: OpenClient, sql: string, options: ExecuteOptions): AsyncGenerator<ResultEvent> {
  const { access, context, maxRows, maxBytes, parameters, timeoutMs } = options;
  client.throwIfClosed();
  throwIfNotWritable(client.options, access, "it with `bigquery({ …, access: 'write' })`");
  const limits = client.untilClosed(startLimits({ timeoutMs, signal: context.signal, what: 'The query', sql }));
  let release = (): void => undefined;
  let job: StartedJob | undefined;
  try {
    release = await client.slots.take(limits);
    const { request, bytes, job: plan } = await prepareStatement(client, { sql, access, parameters, limits, context });
    refuseTooDear(client, sql, bytes);
    try {
      job = await startJob(client.jobs, request);
      const page = await job.firstPage(Math.min(client.options.pageRows, maxRows + 1));
      const first = access === 'write' ? await withAffectedRows(job, page) : page;
      release();
      const schema = first.schema ?? plan.statistics?.query?.schema;
      const events = boundedRows(pagesOf(job, first, schema, client.options.pageRows, maxRows), {
        columns: resultColumns(schema),
        maxRows,
        maxBytes,
        end: () => endOf(job, first),
      });
      for await (const event of events) {
        // A page is in memory; the limits count all the same. What was written stays written.
        if (access !== 'write') limits.throwIfOver();
        yield event;
      }
    } catch (thrown) {
      throw await explainStatement(client, thrown, request);
    }
  } finally {
    release();
    await job?.stop();
    limits.release();
  }
}

/** Where results leave out how many rows were changed, the job tells; the change is made either way. */
async function withAffectedRows(job: StartedJob, page: RestQueryResults): Promise<RestQueryResults> {
  if (page.numDmlAffectedRows !== undefined) return page;
  const { statistics } = await job.read().catch((): RestJob => ({}));
  return { ...page, numDmlAffectedRows: statistics?.query?.numDmlAffectedRows };
}

/** Rows page by page: the next one is fetched only when it is asked for. */
async function* pagesOf(
  job: StartedJob,
  first: RestQueryResults,
  schema: RestQueryResults['schema'],
  pageRows: number,
  maxRows: number,
): AsyncGenerator<readonly Row[], void, void> {
  const decode = createRowDecoder(schema);
  let page = first;
  let fetched = 0;
  for (;;) {
    const rows = page.rows ?? [];
    fetched += rows.length;
    yield rows.map(decode);
    if (page.pageToken === undefined || page.pageToken === '' || fetched > maxRows) return;
    page = await job.nextPage(page.pageToken, Math.min(pageRows, maxRows + 1 - fetched));
  }
}

function endOf(job: StartedJob | undefined, { numDmlAffectedRows, totalBytesProcessed }: RestQueryResults) {
  return {
    queryId: job?.jobId,
    ...(totalBytesProcessed === undefined ? {} : { bytesProcessed: Number(totalBytesProcessed) }),
    ...(numDmlAffectedRows === undefined ? {} : { affectedRows: Number(numDmlAffectedRows) }),
  };
}
