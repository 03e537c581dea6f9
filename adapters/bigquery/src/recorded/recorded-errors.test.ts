import type { AskemaError, ErrorClass } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { explainFailure } from '../errors/explain-failure.ts';
import { hasRecorded, type RecordedStatement, recordedStatements } from './read-recorded.ts';

function explained({ 'query.sql': sql, 'expected.json': { error } }: RecordedStatement): AskemaError {
  return explainFailure(
    {
      status: error?.http_status,
      reason: error?.reason,
      message: error?.message_sample ?? '',
      retryAfterMs: undefined,
      attempts: 1,
    },
    { sql, what: 'The query' },
  );
}

/** Settings of jobs that no statement can have: BigQuery says nothing of names, functions, types or syntax. */
const OF_JOBS = /^(?:Schema update options|Invalid input session id)/;

describe.skipIf(!hasRecorded)('recorded errors', () => {
  const failed = recordedStatements().filter(({ 'expected.json': { error } }) => error !== undefined);

  it('each gets the class that its message means', () => {
    const counts = new Map<ErrorClass, number>();
    const others: string[] = [];
    for (const statement of failed) {
      const { errorClass = 'other' } = explained(statement).details;
      counts.set(errorClass, (counts.get(errorClass) ?? 0) + 1);
      if (errorClass === 'other') others.push(statement['expected.json'].error?.message_sample ?? '');
    }
    expect(failed).toHaveLength(48);
    expect(others.filter((message) => !OF_JOBS.test(message))).toEqual([]);
    expect(Object.fromEntries(counts)).toMatchInlineSnapshot(`
      {
        "constraint": 2,
        "function": 4,
        "identifier": 12,
        "other": 3,
        "permission": 1,
        "syntax": 4,
        "type": 22,
      }
    `);
  });

  it('each that names a place has its position, on the text that is meant', () => {
    // Where a placeholder stands for a longer name, columns are others than BigQuery's.
    const placed = failed.filter(
      ({ 'query.sql': sql, 'expected.json': { error } }) =>
        /at \[\d+:\d+\]/.test(error?.message_sample ?? '') && !sql.includes('${'),
    );
    // Each position is where a token begins: a name, a keyword, a quote.
    const beginnings = placed.map((statement) => {
      const { position, sql = '' } = explained(statement).details;
      const offset = position?.offset ?? sql.length;
      return /^[\w'"`]/.test(sql.slice(offset)) && !/\w$/.test(sql.slice(0, offset));
    });
    expect(beginnings).toEqual(Array.from({ length: 9 }, () => true));
  });
});
