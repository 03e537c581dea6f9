import { bigquery } from '@askema/bigquery';
import { type Adapter, type CalendarUnit, resolveAdapter } from '@askema/core';
import { bigqueryDialect } from '@askema/dialects';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StartedServer, startServer } from '../../../../../servers/start-server.ts';
import { fill } from '../writer.ts';
import { runOf } from './adapter-run.ts';
import { itComputesDays } from './calendar-suite.ts';
import { itGivesTheSameValues, samplesClause, writtenExpressions } from './expression-suite.ts';

const LACKS = ['MEDIAN', 'PERCENTILE_CONT', 'PERCENTILE_DISC'];

describe('BigQuery, as a stand-in runs it', () => {
  let server: StartedServer;
  let adapter: Adapter;
  beforeAll(async () => {
    server = await startServer('bigquery-local/start.mjs', [], {
      needs: 'bigquery-local and the newest Node (npm ci --prefix servers)',
      node: 'newest',
    });
    adapter = resolveAdapter(bigquery({ projectId: 'shop', datasets: [], apiEndpoint: String(server.ready.url) }));
  });
  afterAll(async () => {
    await adapter.close();
    await server.stop();
  });

  // DuckDB, which is under it, knows no ISOWEEK.
  itComputesDays(bigqueryDialect, () => runOf(adapter), ['week']);
  itGivesTheSameValues(bigqueryDialect, () => runOf(adapter, samplesClause(bigqueryDialect)), LACKS, [
    "DATE_TRUNC('week', s)",
    "DATEDIFF('week', d, DATE '2025-01-05')",
  ]);
});

describe('BigQuery, as its own analyzer reads it', () => {
  let server: StartedServer;
  beforeAll(async () => {
    server = await startServer('zetasql/start.mjs', [], {
      needs: 'the package @fivetrandevelopers/zetasql (npm ci --prefix servers), on Linux or macOS',
    });
  });
  afterAll(() => server.stop());

  const analyzed = async (sql: string): Promise<unknown> => {
    const body = JSON.stringify({ sql, tables: [], parameters: {}, functions: [] });
    return (await fetch(`${String(server.ready.url)}/analyze`, { method: 'POST', body })).json();
  };

  test.each(writtenExpressions(bigqueryDialect, LACKS))('$text', async ({ sql }) => {
    expect(await analyzed(`${samplesClause(bigqueryDialect)} SELECT ${sql} FROM samples`)).toMatchObject({ ok: true });
  });

  test.each(['day', 'week', 'month', 'quarter', 'year'] as const)('periods of a %s', async (unit: CalendarUnit) => {
    const calendar = bigqueryDialect.calendar;
    if (calendar === undefined) throw new Error('There is no calendar.');
    const day = fill(calendar.literal, { text: "'2024-02-29'" });
    const parts = [
      fill(calendar.truncate[unit], { day }),
      fill(calendar.add[unit], { day, count: '-3' }),
      fill(calendar.add[unit], { day, count: 'k' }),
      fill(calendar.daysBetween, { from: day, to: day }),
    ];
    expect(await analyzed(`SELECT ${parts.join(', ')} FROM (SELECT 1 AS k)`)).toMatchObject({ ok: true });
    const series = fill(calendar.series, { first: day, last: day, step: calendar.steps[unit] });
    expect(await analyzed(`SELECT period FROM (${series}) AS periods`)).toMatchObject({ ok: true });
  });
});
