import type { Adapter } from '@askema/core';
import type { RunStatement } from './calendar-suite.ts';

/** For tests: statements through an adapter, behind a WITH clause where there is one. */
export function runOf(adapter: Adapter, clause = ''): RunStatement {
  return async (sql) => {
    const { rows } = await adapter.query(`${clause} ${sql}`, { maxRows: 10_000 });
    return rows.map((row) =>
      row.map((cell) => (cell === null ? null : String(typeof cell === 'boolean' ? Number(cell) : cell))),
    );
  };
}
