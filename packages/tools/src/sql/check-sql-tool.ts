import { isAskemaError, type Planner, type PlanVerdict } from '@askema/core';
import { z } from 'zod';
import type { Tool, ToolContext } from '../contract.ts';
import type { FoundDatabase } from '../databases/find-database.ts';
import { cutText } from '../reply/cut-text.ts';
import { withData } from '../reply/data-block.ts';
import { makeTool } from '../reply/make-tool.ts';
import { findingsJson, findingsLines } from './finding-json.ts';
import { inspectStatement, planContext } from './inspect-statement.ts';
import { fixedOf, type SqlTools } from './run-sql-tool.ts';

/** Relations of a plan that a reply names. */
const MAX_RELATIONS = 30;
const PLAN_MS = 10_000;

const checkOutput = z.looseObject({
  findings: z.array(z.unknown()).optional(),
  /** What the engine says: kind, relations, rows, bytes, cost. */
  plan: z.unknown().optional(),
  fixed: z.string().optional(),
});

/** What is wrong with a statement and what it would cost; nothing runs. */
export function checkSqlTool({ databases, limits, parser }: SqlTools): Tool {
  const input = z.strictObject({ sql: z.string(), ...databases.field });
  return makeTool({
    name: 'check_sql',
    title: 'Check SQL',
    description: 'Finds mistakes and cost of a statement; runs nothing.',
    input,
    output: checkOutput,
    idempotent: true,
    async run({ sql, database }, context) {
      const found = databases.find(database);
      const planner = askedOnce(found.adapter.planner);
      const { findings, fixed } = await inspectStatement(sql, found, { parser, planner, context });
      const plan = planJson(await planOf(sql, planner, context), limits.maxCharacters / 10);
      const told = findingsJson(findings, limits.maxCharacters / 3);
      const count = findings.length;
      return {
        structured: { findings: [...told], plan, ...fixedOf(fixed, limits) },
        text: withData(`${count} ${count === 1 ? 'finding' : 'findings'}. Nothing was run.`, 'check', [
          ...findingsLines(told),
          ...Object.entries(plan).map(([name, value]) => `plan ${name}: ${String(value)}`),
          ...(fixed === undefined ? [] : [`Fixed: ${fixed}`]),
        ]),
        isError: false,
      };
    },
  });
}

/** The inspection may ask, or leave it: the engine plans once. */
function askedOnce(planner: FoundDatabase['adapter']['planner']): Planner {
  let asked: Promise<PlanVerdict> | undefined;
  return {
    check(sql, options) {
      asked ??= planner.check(sql, options);
      return asked;
    },
  };
}

async function planOf(sql: string, planner: Planner, context: ToolContext): Promise<PlanVerdict> {
  try {
    return await planner.check(sql, { timeoutMs: PLAN_MS, context: planContext(context) });
  } catch (error) {
    if (!isAskemaError(error) || error.code === 'ABORTED') throw error;
    return { verdict: 'unknown', error: { message: error.message } };
  }
}

function planJson(verdict: PlanVerdict, room: number): Readonly<Record<string, unknown>> {
  const { verdict: says, statement, relations, estimatedRows, estimatedBytes, estimatedCostUsd, error } = verdict;
  const named = relations?.slice(0, MAX_RELATIONS).map((name) => cutText(name, room / MAX_RELATIONS));
  const fields = {
    ...{ verdict: says, statement, relations: named, estimatedRows, estimatedBytes, estimatedCostUsd },
    error: error === undefined ? undefined : cutText(error.message, room),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
