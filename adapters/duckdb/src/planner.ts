import { plannerOf, throwIfTooDeep } from '@askema/adapter-kit';
import type { Planner } from '@askema/core';
import { duckdbDialect } from '@askema/dialects';
import { fillParameters, statementKind } from '@askema/sql';
import type { Engine } from './engine.ts';
import { textRefusal } from './executor.ts';
import type { RawPlan } from './protocol.ts';

/**
 * Prepares a statement without running it: its kind, the relations that it names, how many rows DuckDB expects, or
 * DuckDB's complaint. What this adapter never runs (ATTACH, COPY, a second statement, …) is `invalid`.
 */
export function createPlanner({ client }: Engine): Planner {
  return plannerOf(async (sql, limits) => {
    throwIfTooDeep(sql, duckdbDialect.lexer);
    const refusal = textRefusal(sql);
    const { lexer } = duckdbDialect;
    const withoutParameters = fillParameters(sql, lexer, { value: 'NULL' });
    const request = { sql, withoutParameters, textKind: statementKind(sql, lexer), textRefusal: refusal };
    const plan = await client.value<RawPlan>({ type: 'check', ...request }, limits);
    // By its kind it reads, and by its text it may do more.
    const isUnclear = plan.statement === 'read' && refusal !== undefined;
    return { verdict: 'ok', ...plan, ...(isUnclear ? { statement: 'other' } : {}) };
  });
}
