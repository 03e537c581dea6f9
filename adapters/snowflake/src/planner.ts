import { isAskemaError, type NameParts, type Planner, type PlanVerdict, startLimits } from '@askema/core';
import { snowflakeDialect } from '@askema/dialects';
import { lexSql } from '@askema/sql';
import type { SessionQuery, SnowflakeSession } from './connection/session.ts';
import { kindOf } from './connection/statement-type.ts';
import { refuseFileTransfer } from './executor/read-only.ts';
import type { ReadViews } from './executor/read-views.ts';

/**
 * Compiles a statement without running it, and without a warehouse: its kind by `describeOnly`, then by EXPLAIN the tables and the bytes of the
 * partitions that it would read. Snowflake bills time of a warehouse, so there is no price. A statement that EXPLAIN does not take (SHOW, USE,
 * …) has its kind alone.
 */
export function createPlanner(session: SnowflakeSession, readViews: ReadViews): Planner {
  return {
    async check(sql, { timeoutMs, context, views: wanted }) {
      const limits = startLimits({
        timeoutMs,
        signal: context.signal,
        what: 'Checking the statement',
        sql,
        onlyPlans: true,
      });
      try {
        limits.throwIfOver();
        refuseFileTransfer(sql);
        const query = { limits, context };
        const { statementTypeId } = await session.describe(sql, query);
        const statement = statementTypeId === undefined ? undefined : kindOf(statementTypeId);
        const plan = mayBeExplained(sql) ? await explain(session, sql, query) : {};
        const views = wanted === true ? { views: await readViews(sql, query, { now: true }) } : {};
        return { verdict: 'ok', ...(statement !== undefined && { statement }), ...plan, ...views };
      } catch (thrown) {
        return invalidPlan(thrown);
      } finally {
        limits.release();
      }
    },
  };
}

function invalidPlan(thrown: unknown): PlanVerdict {
  if (!isAskemaError(thrown) || (thrown.code !== 'QUERY_FAILED' && thrown.code !== 'QUERY_REFUSED')) throw thrown;
  const { message, details, code } = thrown;
  return { verdict: 'invalid', error: { message, details: { ...details, code } } };
}

/** EXPLAIN takes queries and statements that change rows. */
const EXPLAINED = new Set(['SELECT', 'WITH', 'VALUES', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', '(']);

function mayBeExplained(sql: string): boolean {
  const first = lexSql(sql, snowflakeDialect.lexer).find(({ kind }) => kind !== 'comment' && kind !== 'blank');
  return EXPLAINED.has(first?.text.toUpperCase() ?? '');
}

type Plan = Pick<PlanVerdict, 'relations' | 'reads' | 'estimatedBytes'>;

/** What stands behind the words is the statement; its errors tell its own positions. */
const EXPLAIN = 'EXPLAIN USING JSON ';

async function explain(session: SnowflakeSession, sql: string, query: SessionQuery): Promise<Plan> {
  try {
    const { rows } = await session.query(`${EXPLAIN}${sql}`, { ...query, maxRows: 10 });
    return readPlan(rows[0]?.[0]);
  } catch (error) {
    // The statement compiled: that it cannot be explained says nothing against it.
    if (isAskemaError(error) && error.code === 'QUERY_FAILED') return {};
    throw error;
  }
}

/** `{"GlobalStats":{"partitionsTotal":…,"partitionsAssigned":…,"bytesAssigned":…},"Operations":[[{"operation":"TableScan","objects":["DB.S.T"]}]]}` */
export function readPlan(cell: unknown): Plan {
  const plan = typeof cell === 'string' ? parsed(cell) : cell;
  if (!isRecord(plan)) return {};
  const relations = new Set<string>();
  for (const step of Array.isArray(plan.Operations) ? plan.Operations.flat(2).slice(0, 10_000) : [])
    if (isRecord(step) && Array.isArray(step.objects) && /scan/i.test(String(step.operation)))
      for (const object of step.objects) if (typeof object === 'string') relations.add(object);
  const bytes = isRecord(plan.GlobalStats) ? plan.GlobalStats.bytesAssigned : undefined;
  return {
    relations: [...relations],
    reads: [...relations].map((name) => ({ nameParts: partsOf(name) })),
    ...(typeof bytes === 'number' && { estimatedBytes: bytes }),
  };
}

/** `DB.S.T`; a part that needs quotes has them. */
function partsOf(name: string): NameParts {
  const parts = name.match(/"(?:[^"]|"")*"|[^".]+/g) ?? [];
  const plain = parts.map((part) => (part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part));
  const [relation = name, schema, database] = plain.toReversed();
  return { relation, schema, database };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
