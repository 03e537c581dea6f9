import type { FilterShape, OperandShape, QueryBlock } from '../../../ports/query-shape.ts';
import { conjuncts, textOf } from '../../resolve/index.ts';
import type { ResolvedBlock, ResolvedQuery } from '../../resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../../rule.ts';
import { type AllowedValues, allowedValues, excludeEachOther, isEmpty } from './allowed-values.ts';

/** More conditions than this in one clause are not compared with each other. */
const MAX_CONDITIONS = 60;

interface Claim {
  /** What is tested: the same for the same column of the same relation. */
  readonly key: string;
  readonly filter: FilterShape;
  readonly allowed: AllowedValues;
}

/** Conditions on one column that no row fulfils together, and ranges that are empty. */
export const contradiction: InspectionRule = {
  code: 'contradiction',
  severity: 'error',
  title: 'Conditions that no row can fulfil at once',
  *check(query) {
    for (const block of query.blocks) {
      for (const filter of block.block.filters) {
        const finding = emptyRange(query, filter);
        if (finding !== undefined) yield finding;
      }
      for (const filters of clausesOf(block.block)) yield* excluding(query, claimsOf(query, block, filters));
    }
  },
};

function clausesOf(block: QueryBlock): readonly (readonly FilterShape[])[] {
  const joins = block.joins.map((_, join) => conjuncts(block, { join }));
  return [conjuncts(block, 'where'), conjuncts(block, 'having'), conjuncts(block, 'qualify'), ...joins];
}

function emptyRange(query: ResolvedQuery, filter: FilterShape): RuleFinding | undefined {
  if (filter.operator !== 'between' || filter.negated) return undefined;
  const allowed = allowedValues(filter, 'between');
  const [low, high] = filter.right;
  if (allowed === undefined || low === undefined || high === undefined || !isEmpty(allowed)) return undefined;
  // BETWEEN SYMMETRIC takes its ends in any order.
  if (/symmetric/i.test(query.sql.slice(filter.left.span.end, low.span.start))) return undefined;
  const [first, second] = [textOf(query, low.span), textOf(query, high.span)];
  return {
    message: `BETWEEN ${first} AND ${second} is an empty range: the lower end comes first.`,
    advice: `Write BETWEEN ${second} AND ${first}.`,
    span: filter.span,
    fix: {
      description: `Write BETWEEN ${second} AND ${first}`,
      edits: [
        { span: low.span, text: second },
        { span: high.span, text: first },
      ],
    },
  };
}

function* excluding(query: ResolvedQuery, claims: readonly Claim[]): Generator<RuleFinding, void, undefined> {
  if (claims.length > MAX_CONDITIONS) return;
  const reported = new Set<string>();
  for (const [index, claim] of claims.entries())
    for (const earlier of claims.slice(0, index)) {
      if (earlier.key !== claim.key || reported.has(claim.key) || !excludeEachOther(earlier.allowed, claim.allowed))
        continue;
      reported.add(claim.key);
      const [first, second] = [textOf(query, earlier.filter.span), textOf(query, claim.filter.span)];
      yield {
        message: `No row fulfils both ${first} and ${second}.`,
        advice:
          'If either is enough, use OR or IN; if several rows have to have these values, use INTERSECT, EXISTS for each, or GROUP BY with HAVING.',
        span: claim.filter.span,
      };
    }
}

function claimsOf(query: ResolvedQuery, block: ResolvedBlock, filters: readonly FilterShape[]): readonly Claim[] {
  const claims: Claim[] = [];
  for (const filter of filters) {
    const key = keyOf(query, block, filter.left);
    const allowed = key === undefined ? undefined : allowedValues(filter, filter.operator);
    if (key !== undefined && allowed !== undefined) claims.push({ key, filter, allowed });
  }
  return claims;
}

/** Columns by what they mean, calls of aggregates by their text; nothing else is sure to be the same twice. */
function keyOf(query: ResolvedQuery, block: ResolvedBlock, operand: OperandShape): string | undefined {
  if (operand.kind === 'call') {
    const call = block.block.calls[operand.calls[0] ?? -1];
    return call?.kind === 'aggregate' ? textOf(query, operand.span).replaceAll(/\s+/g, '').toLowerCase() : undefined;
  }
  const [index] = operand.columns;
  if (operand.kind !== 'column' || index === undefined || block.block.columns[index]?.path !== undefined)
    return undefined;
  const column = block.columns[index];
  if (column?.kind === 'attribute') return `${column.relation.block}/${column.relation.relation}/${column.attribute}`;
  if (column?.kind !== 'output' || column.output.name === undefined) return undefined;
  return `${column.relation.block}/${column.relation.relation}/ ${column.output.name}`;
}
