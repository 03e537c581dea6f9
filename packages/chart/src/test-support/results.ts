import type { DataType, QueryResult, ResultColumn, Row } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import type { QueryShape } from '@askema/sql';
import { sqlparserTs } from '@askema/sql-parser';
import { afterAll } from 'vitest';

type TestResult = Pick<QueryResult, 'columns' | 'rows' | 'truncated'>;

/** A result whose columns are named; `price:NUMERIC` says a type. */
export function resultOf(columns: string, rows: readonly Row[], truncated?: 'rows'): TestResult {
  return { columns: columns.split(', ').map(columnOf), rows, truncated };
}

function columnOf(text: string): ResultColumn {
  const [, name = text, type = 'TEXT'] = /^(.*):([A-Z]+)$/.exec(text) ?? [];
  return { name, nativeType: '', type: type as DataType };
}

/** So many rows. */
export function rowsOf(count: number, row: (at: number) => Row): readonly Row[] {
  return Array.from({ length: count }, (_, at) => row(at));
}

/** `2024-01` and on. */
export function monthOf(at: number): string {
  return `${2024 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
}

/** Reads the shapes of statements until the tests of a file are over. */
export function shapeReader(): (sql: string) => Promise<QueryShape> {
  const parser = sqlparserTs();
  afterAll(() => parser.close());
  return async (sql) => {
    const parsed = await parser.parse(sql, sqliteDialect);
    if (!parsed.ok) throw new Error(parsed.reason);
    return parsed.shape;
  };
}
