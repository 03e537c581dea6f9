import { plannerOf } from '@askema/adapter-kit';
import type { Planner } from '@askema/core';
import type { Database } from './database.ts';
import type { RawPlan } from './protocol.ts';

/**
 * Prepares a statement without running it: its kind, the tables that it would open, or SQLite's complaint. What this
 * adapter never runs (ATTACH, a second statement, …) is `invalid`. SQLite has no estimates.
 */
export function createPlanner({ client }: Database): Planner {
  return plannerOf(async (sql, limits) => ({
    verdict: 'ok',
    ...(await client.value<RawPlan>({ type: 'check', sql }, limits)),
  }));
}
