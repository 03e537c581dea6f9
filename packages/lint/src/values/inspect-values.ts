import {
  type Adapter,
  type CallContext,
  type InspectionFinding,
  isAskemaError,
  throwIfAborted,
  type ValueIndex,
} from '@askema/core';
import { scanCells } from '@askema/grounding';
import pLimit from 'p-limit';
import type { ResolvedQuery } from '../resolve/resolved-query.ts';
import { type JoinEquality, joinEqualities, joinFinding } from './join-values.ts';
import { companionCells, valueOccurs } from './look-up-cells.ts';
import { nearCells } from './near-cells.ts';
import { type OrderedCondition, orderedConditions } from './ordered-conditions.ts';
import { orderedFindings } from './ordered-finding.ts';
import { type ValueCondition, valueConditions } from './value-conditions.ts';
import { valueFinding } from './value-finding.ts';

export interface InspectValuesOptions {
  readonly adapter: Adapter;
  /** Where near cells are looked up. Default: {@link scanCells} over the adapter, for this call alone. */
  readonly valueIndex?: ValueIndex | undefined;
  readonly context: CallContext;
  /** Cells of the column itself in a finding. Default 5. */
  readonly nearest?: number | undefined;
  /** Cells of other columns in a finding. Default 5. */
  readonly elsewhere?: number | undefined;
  /** Conditions that are looked up, in the order of the statement. Default 20. */
  readonly maxConditions?: number | undefined;
  /** Equalities of two columns that are tried, in the order of the statement. Default 10. */
  readonly maxJoins?: number | undefined;
  /** For the statement that looks one value up. Default 5000. */
  readonly timeoutMs?: number | undefined;
  /** For all conditions together; what is not known by then is not reported. Default 30,000. */
  readonly totalTimeoutMs?: number | undefined;
  /** Conditions that are looked up at the same time. Default 4. */
  readonly concurrency?: number | undefined;
}

/**
 * The database retriever: looks the texts of a statement's conditions up in the columns that they are compared with (=,
 * <>, IN, LIKE; in WHERE, HAVING, QUALIFY and ON; also of CTEs and derived tables). The database itself is asked with
 * the very operator, so that collations and patterns mean what they mean there. For a value that no row has there is
 * one finding `value-not-found`, with the nearest cells of the column and the same or near values of others.
 *
 * An error where every cell of the column was searched and the comparison is = or IN; a warning where only a part was,
 * for LIKE, and where another condition suffices and is met. Conditions that keep a value out (<>, NOT IN) are reported
 * only where a near cell shows that another spelling was meant. A lookup that fails or takes too long, and a column
 * without any cell, give no finding.
 *
 * Numbers, dates and truth values are looked up in columns of their type, dates also in columns of text: equalities, IN
 * and ranges that have to be met. An equality without a row is `value-not-found`, a range `range-without-match`; both
 * name the least and the greatest cell. A warning; an error where the column writes the very day otherwise, or with a
 * time; a note for keys, for truth values, and where another condition suffices and is met.
 *
 * Joins are tried as well: two columns that are compared for equality and have no value in common give one finding
 * `join-without-match`, an error where they would meet without regard to blanks or case.
 *
 * Source: Tool-SQL (https://arxiv.org/abs/2408.16991), section "Database Retriever".
 *
 * @returns the findings of texts, of other values, and of joins, each in the order of the statement's blocks.
 * @throws AskemaError `ABORTED` when the signal of the context fires.
 */
export async function inspectValues(
  query: ResolvedQuery,
  options: InspectValuesOptions,
): Promise<readonly InspectionFinding[]> {
  const { adapter, context } = options;
  throwIfAborted(context.signal, 'The search for values');
  const most = options.maxConditions ?? 20;
  const conditions = valueConditions(query).slice(0, most);
  const ordered = orderedConditions(query).slice(0, most - conditions.length);
  const joins = joinEqualities(query).slice(0, options.maxJoins ?? 10);
  if (conditions.length + ordered.length + joins.length === 0) return [];
  const own = options.valueIndex === undefined ? scanCells({ adapter, catalog: query.catalog }) : undefined;
  const deadline = AbortSignal.timeout(options.totalTimeoutMs ?? 30_000);
  const signal = context.signal === undefined ? deadline : AbortSignal.any([context.signal, deadline]);
  try {
    const lookup = { ...options, valueIndex: options.valueIndex ?? own, context: { ...context, signal } };
    const found = await lookUp(query, conditions, lookup as Lookup, context);
    const others = await lookUpOrdered(query, ordered, lookup, context);
    return [...found, ...others, ...(await tryJoins(query, joins, lookup, context))];
  } finally {
    await own?.close();
  }
}

type Lookup = InspectValuesOptions & { readonly valueIndex: ValueIndex };

async function lookUp(
  query: ResolvedQuery,
  conditions: readonly ValueCondition[],
  options: Lookup,
  caller: CallContext,
): Promise<readonly InspectionFinding[]> {
  const { adapter, context, nearest = 5, elsewhere = 5, timeoutMs = 5_000 } = options;
  const limit = pLimit(options.concurrency ?? 4);
  const occurs = await Promise.all(
    conditions.map((condition) =>
      limit(() => known(caller, () => valueOccurs(adapter, query, condition, { timeoutMs, context }))),
    ),
  );
  const met = new Set(conditions.flatMap((condition, at) => (occurs[at] === true ? condition.groups : [])));
  const findings = await Promise.all(
    conditions.map((condition, at) =>
      limit(async () => {
        if (occurs[at] !== false || condition.isDay) return undefined;
        const search = { adapter, valueIndex: options.valueIndex, nearest, elsewhere, timeoutMs, context };
        const near = await known(caller, () => nearCells(query, condition.cell.attribute, condition.mention, search));
        if (near === undefined || (near.coverage === 'whole' && near.here.length === 0)) return undefined;
        const hasAlternative = condition.groups.some((group) => met.has(group));
        const others = conditions.filter((_other, position) => occurs[position] === true);
        const beside =
          (await known(caller, () =>
            companionCells(adapter, query, condition, others, { limit: nearest, timeoutMs, context }),
          )) ?? [];
        return valueFinding(query, condition, { ...near, beside }, hasAlternative, { nearest });
      }),
    ),
  );
  return findings.filter((finding) => finding !== undefined);
}

/** Two statements at most for each relation. */
async function lookUpOrdered(
  query: ResolvedQuery,
  conditions: readonly OrderedCondition[],
  { adapter, context, timeoutMs = 5_000, concurrency = 4 }: InspectValuesOptions,
  caller: CallContext,
): Promise<readonly InspectionFinding[]> {
  const limit = pLimit(concurrency);
  const relations = Map.groupBy(conditions, ({ attribute }) => query.index.attribute(attribute)?.relation);
  const found = await Promise.all(
    [...relations.values()].map((ofOne) =>
      limit(() => known(caller, () => orderedFindings(adapter, query, ofOne, { timeoutMs, context }))),
    ),
  );
  return found.flatMap((findings) => findings ?? []);
}

async function tryJoins(
  query: ResolvedQuery,
  joins: readonly JoinEquality[],
  { adapter, context, timeoutMs = 5_000, concurrency = 4 }: InspectValuesOptions,
  caller: CallContext,
): Promise<readonly InspectionFinding[]> {
  const limit = pLimit(concurrency);
  const found = await Promise.all(
    joins.map((join) => limit(() => known(caller, () => joinFinding(adapter, query, join, { timeoutMs, context })))),
  );
  return found.filter((finding) => finding !== undefined);
}

/** What a lookup says; undefined when it failed or the time for all was over. The caller's own abort is passed on. */
async function known<T>(caller: CallContext, lookUpOne: () => Promise<T>): Promise<T | undefined> {
  try {
    return await lookUpOne();
  } catch (thrown) {
    throwIfAborted(caller.signal, 'The search for values');
    if (!isAskemaError(thrown)) throw thrown;
    return undefined;
  }
}
