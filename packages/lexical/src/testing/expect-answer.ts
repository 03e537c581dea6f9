import { expect } from 'vitest';
import type { AskOptions, SmallDatabase } from './small-database.ts';

/** Rows in an order of their own, so that two results compare as multisets. */
export function multiset(rows: readonly (readonly unknown[])[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

/** Asks, and expects the rows of a statement of the test's own; in order where that has an ORDER BY. */
export async function expectAnswer(
  database: Pick<SmallDatabase, 'ask' | 'rows'>,
  question: string,
  expectedSql: string,
  options?: AskOptions,
): Promise<void> {
  const answer = await database.ask(question, options);
  expect(answer, answer.explanation).toMatchObject({ outcome: 'sql', not_understood: [] });
  expect(answer.explanation).toMatch(/^Read as: /u);
  const [actual, expected] = [database.rows(answer.sql), database.rows(expectedSql)];
  if (/ORDER BY/iu.test(expectedSql)) expect(actual).toEqual(expected);
  else expect(multiset(actual), answer.sql).toEqual(multiset(expected));
}
