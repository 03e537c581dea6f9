import { bigqueryDialect } from '@askema/dialects';
import { readOnlyText } from '@askema/sql';
import { describe, expect, it } from 'vitest';
import { hasRecorded, recordedStatements } from './read-recorded.ts';

/** Statements with the kind that BigQuery itself gave them; placeholders of projects and datasets are filled in. */
const kinds = recordedStatements().flatMap((statement) => {
  const kind = statement['expected.json'].job_metadata?.statement_type;
  const sql = statement['query.sql'].replaceAll(/\$\{\w+\}/g, 'filled');
  return kind === undefined
    ? []
    : [{ name: statement.name, kind, sql, verdict: readOnlyText(sql, bigqueryDialect.lexer) }];
});

describe.skipIf(!hasRecorded)('the text half of the guard and the kinds that BigQuery named', () => {
  it('nothing that BigQuery calls other than SELECT passes, but for scripts that only read', () => {
    const passed = kinds.filter(({ kind, verdict }) => kind !== 'SELECT' && verdict.ok);
    expect(kinds.filter(({ kind }) => kind !== 'SELECT').length).toBeGreaterThan(80);
    // DECLARE in front of a query changes nothing but the text's own variables; the adapter refuses the script by its kind.
    const other = passed.filter(
      ({ kind, sql }) => kind !== 'SCRIPT' || !/^(DECLARE [^;]+;\s+)+SELECT [^;]+;?\s*$/.test(sql),
    );
    expect(other.map(({ kind, sql }) => `${kind}: ${sql}`)).toEqual([]);
  });

  it('what BigQuery calls SELECT passes', () => {
    const refused = kinds.filter(({ kind, verdict }) => kind === 'SELECT' && !verdict.ok);
    expect(kinds.filter(({ kind }) => kind === 'SELECT').length).toBeGreaterThan(200);
    expect(refused.map(({ name, sql, verdict }) => ({ name, sql, verdict }))).toEqual([]);
  });
});
