import { describe, expect, it } from 'vitest';
import { createRowDecoder } from '../client/decode-rows.ts';
import { resultColumns } from '../client/result-columns.ts';
import { readFailure } from '../errors/rest-failure.ts';
import { statementOf, verdictOf } from '../planner.ts';
import type { RestJob, RestQueryResults, RestTable } from '../rest-types.ts';
import { hasRecorded, recordedExchanges, recordedStatements } from './read-recorded.ts';

describe.skipIf(!hasRecorded)('recorded exchanges of the REST interface', () => {
  const exchanges = recordedExchanges();
  const named = (name: string) => exchanges.find((exchange) => exchange.name === name)?.['expected_response.json'];

  it('dry runs: kind and columns, or what is wrong', () => {
    const job = named('dryrun_schema_only')?.body as RestJob;
    expect(verdictOf('SELECT 1', job, undefined, 6.25)).toEqual({ verdict: 'ok', statement: 'read' });
    const { schema } = (named('dryrun_simple_query')?.body ?? {}) as RestQueryResults;
    expect(resultColumns(schema).map(({ name, nativeType }) => [name, nativeType])).toEqual([
      ['x', 'INT64'],
      ['s', 'STRING'],
    ]);
    const refused = named('dryrun_invalid_query');
    const failure = readFailure({ response: { status: refused?.http_status, data: refused?.body } }, 1);
    expect(failure).toMatchObject({ status: 400, reason: 'invalidQuery' });
  });

  it('every failed exchange has a status and words', () => {
    const failed = exchanges.filter((exchange) => exchange['expected_response.json'].http_status >= 400);
    expect(failed.length).toBeGreaterThan(3);
    for (const { 'expected_response.json': response } of failed) {
      const failure = readFailure({ response: { status: response.http_status, data: response.body } }, 1);
      expect(failure.message).not.toMatch(/^HTTP/);
      expect(failure.reason).toMatch(/\w/);
    }
  });

  it('rows of every recorded page are read by its schema', () => {
    const pages = exchanges.map((exchange) => exchange['expected_response.json'].body as RestQueryResults);
    const withRows = pages.filter((page) => Array.isArray(page?.rows) && Array.isArray(page.schema?.fields));
    const read = withRows.map(({ schema, rows = [] }) => rows.map(createRowDecoder(schema)));
    const rows = read.flat();
    const isWhole = (row: (typeof rows)[number]): boolean =>
      row.length > 0 && !row.some((value) => value === undefined);
    expect({ pages: read.length, rows: rows.length, whole: rows.every(isWhole) }).toMatchInlineSnapshot(`
      {
        "pages": 5,
        "rows": 68,
        "whole": true,
      }
    `);
  });

  it('types of recorded tables are told as SQL writes them', () => {
    const tables = exchanges.map((exchange) => exchange['expected_response.json'].body as RestTable);
    const schemas = tables.filter(
      (table) => Array.isArray(table?.schema?.fields) && table.tableReference !== undefined,
    );
    const types = new Set(schemas.flatMap(({ schema }) => resultColumns(schema).map(({ nativeType }) => nativeType)));
    expect([...types].sort()).toMatchInlineSnapshot(`
      [
        "ARRAY<STRING>",
        "ARRAY<STRUCT<qty INT64, sku STRING>>",
        "INT64",
        "STRING",
        "STRUCT<city STRING, age INT64>",
      ]
    `);
  });

  it('every recorded kind of statement but SELECT counts as more than reading', () => {
    const kinds = recordedStatements().map((statement) => statement['expected.json'].job_metadata?.statement_type);
    const reading = new Set(kinds.filter((kind) => kind !== undefined && statementOf(kind) === 'read'));
    expect(new Set(kinds).size).toBeGreaterThan(15);
    expect([...reading]).toEqual(['SELECT']);
  });
});
