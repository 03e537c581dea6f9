import type { ConditionShape, JoinPair, JoinShape, NamePart, RelationShape } from '@askema/sql';
import { isWord, levelTokens, nextAtLevel, type TokenRange, type TokenTable } from '../source/token-table.ts';
import type { TreeAlias, TreeFactor, TreeName, TreeSource } from '../tree/tree.ts';
import { buildCondition } from './build-condition.ts';
import { buildQuery } from './build-query.ts';
import { type BlockDraft, type Builder, type Draft, mustSpan, NotLocated } from './builder.ts';
import { locateName } from './locate.ts';
import { type Scope, visitExpression } from './visit-expression.ts';

/** Adds the relations and joins of FROM; `range` is what follows the word FROM. */
export function buildFrom(
  builder: Builder,
  block: BlockDraft,
  sources: readonly TreeSource[],
  range: TokenRange,
): void {
  const segments = splitSources(builder.table, range);
  if (segments.length !== sources.length)
    throw new NotLocated(`the relations of FROM (${sources.length} in the tree, ${segments.length} in the text)`);
  for (const [index, source] of sources.entries()) {
    const segment = segments[index];
    if (segment !== undefined) buildSource(builder, block, source, segment);
  }
}

interface Segment {
  /** Where the comma or the words of the join begin. */
  readonly from: number;
  /** Where the relation begins. */
  readonly body: number;
  readonly to: number;
}

const JOIN_WORDS = /^(INNER|LEFT|RIGHT|FULL|OUTER|CROSS|NATURAL|SEMI|ANTI|ASOF|POSITIONAL|GLOBAL|STRAIGHT)$/;

function splitSources(table: TokenTable, range: TokenRange): readonly Segment[] {
  const starts: { readonly from: number; readonly body: number }[] = [{ from: range.from, body: range.from }];
  for (const index of levelTokens(table, range)) {
    const word = table.tokens[index]?.upper ?? '';
    if (word === ',' && index + 1 < range.to && !isValuesRow(table, starts.at(-1)?.body ?? 0, index))
      starts.push({ from: index, body: index + 1 });
    const isApply = word === 'APPLY' && /^(CROSS|OUTER)$/.test(table.tokens[index - 1]?.upper ?? '');
    if (!isApply && !isWord(table, index, 'JOIN') && !isWord(table, index, 'STRAIGHT_JOIN')) continue;
    let from = index;
    const least = (starts.at(-1)?.body ?? range.from) + 1;
    while (from > least && JOIN_WORDS.test(table.tokens[from - 1]?.upper ?? '')) from--;
    starts.push({ from, body: index + 1 });
  }
  return starts.map((start, index) => ({ ...start, to: starts[index + 1]?.from ?? range.to }));
}

/** A comma between rows of VALUES without brackets around them. */
function isValuesRow(table: TokenTable, body: number, comma: number): boolean {
  return (
    isWord(table, body, 'VALUES') && table.tokens[comma + 1]?.upper === '(' && table.tokens[comma - 1]?.upper === ')'
  );
}

function buildSource(builder: Builder, block: BlockDraft, source: TreeSource, segment: Segment): void {
  const { table } = builder;
  const inside = { from: segment.body, to: segment.to };
  const level = [...levelTokens(table, inside)];
  const on = source.join?.on === undefined ? undefined : level.findLast((index) => isWord(table, index, 'ON'));
  const usingNames = source.join?.using ?? [];
  const using =
    usingNames.length === 0
      ? undefined
      : level.findLast((index) => isWord(table, index, 'USING') && table.tokens[index + 1]?.upper === '(');
  const match =
    source.join?.match === undefined ? undefined : level.find((index) => isWord(table, index, 'MATCH_CONDITION'));
  const factorEnd = Math.min(...[on, using, match, segment.to].filter((index) => index !== undefined));
  const relation = block.relations.length;
  buildFactor(builder, block, source.factor, { from: segment.body, to: factorEnd });
  if (source.join === undefined) return;
  const join: Draft<JoinShape> = {
    kind: source.join.kind,
    natural: source.join.natural,
    relation,
    span: mustSpan(builder, segment),
    condition: undefined,
    pairs: [],
    using:
      using === undefined ? [] : locateAll(builder, usingNames, { from: using + 1, to: nextAtLevel(table, using + 1) }),
  };
  const index = block.joins.push(join) - 1;
  const scope = { builder, block, clause: 'join', join: index } as const;
  if (source.join.match !== undefined && match !== undefined)
    visitExpression(scope, source.join.match, { from: match + 1, to: nextAtLevel(table, match + 1) });
  if (source.join.on === undefined) return;
  if (on === undefined) throw new NotLocated('ON');
  join.condition = buildCondition(scope, source.join.on, { from: on + 1, to: segment.to });
  join.pairs = [...pairsOf(block, join.condition)];
}

function pairsOf(block: BlockDraft, condition: ConditionShape): readonly JoinPair[] {
  if (condition.kind === 'and') return condition.operands.flatMap((operand) => pairsOf(block, operand));
  if (condition.kind !== 'filter') return [];
  const filter = block.filters[condition.filter];
  const other = filter?.right[0];
  if (filter?.operator !== '=' || filter.left.kind !== 'column' || other?.kind !== 'column') return [];
  const left = filter.left.columns[0];
  const right = other.columns[0];
  return left === undefined || right === undefined ? [] : [{ left, right, span: filter.span }];
}

function locateAll(builder: Builder, names: readonly TreeName[], range: TokenRange): NamePart[] {
  return names.flatMap((name) => locateName(builder, [name], range, 'alias').parts);
}

function buildFactor(
  builder: Builder,
  block: BlockDraft,
  factor: TreeFactor,
  range: TokenRange,
  outer?: TreeAlias,
): void {
  const { table } = builder;
  const scope: Scope = { builder, block, clause: 'from' };
  const alias = outer ?? factor.alias;
  let from = range.from;
  while (/^(LATERAL|ONLY)$/.test(table.tokens[from]?.upper ?? '') && from + 1 < range.to) from++;
  const rest = { from, to: range.to };
  switch (factor.kind) {
    case 'table': {
      const { parts, range: found } = locateName(builder, factor.name, rest, 'relation');
      addRelation(builder, block, { kind: 'table', name: [...parts] }, found, alias, range);
      return;
    }
    case 'function':
    case 'unnest': {
      const { name, call } = locateFunction(builder, factor, rest);
      const relation = addRelation(builder, block, { kind: factor.kind, name: [...name] }, call, alias, range);
      relation.lateral = factor.lateral ?? from > range.from;
      for (const argument of factor.args) visitExpression(scope, argument, call);
      return;
    }
    case 'derived': {
      const group = derivedGroup(builder, rest);
      builder.claimed[group.from] = 1;
      const relation = addRelation(builder, block, { kind: 'derived', name: [] }, group, alias, range);
      relation.lateral = from > range.from;
      relation.block = builder.blocks.length;
      block.subqueries.push({ block: relation.block, clause: 'from', role: 'rows', span: relation.span });
      buildQuery(builder, factor.query, group, { parent: block.id, place: 'from', role: 'rows' });
      return;
    }
    case 'joins': {
      if (table.tokens[from]?.upper !== '(') throw new NotLocated('joins in brackets');
      buildFrom(builder, block, factor.from, { from: from + 1, to: nextAtLevel(table, from) - 1 });
      return;
    }
    case 'modified': {
      buildFactor(builder, block, factor.factor, rest, factor.factor.alias ?? alias);
      for (const argument of factor.args) visitExpression(scope, argument, rest);
    }
  }
}

/** The call of a table function with its name, or UNNEST (…). */
function locateFunction(
  builder: Builder,
  factor: Extract<TreeFactor, { readonly kind: 'function' | 'unnest' }>,
  range: TokenRange,
): { readonly name: readonly NamePart[]; readonly call: TokenRange } {
  const { table } = builder;
  if (factor.kind === 'function' && factor.name.length > 0) {
    const { parts, range: found } = locateName(builder, factor.name, range, 'call');
    const hasBrackets = table.tokens[found.to]?.upper === '(';
    return { name: parts, call: { from: found.from, to: hasBrackets ? nextAtLevel(table, found.to) : found.to } };
  }
  const open = [...levelTokens(table, range)].find((index) => table.tokens[index]?.upper === '(');
  if (open === undefined) throw new NotLocated('the brackets of a function in FROM');
  return { name: [], call: { from: range.from, to: nextAtLevel(table, open) } };
}

/** The brackets of a sub-query in FROM; VALUES may stand there without. */
function derivedGroup(builder: Builder, range: TokenRange): TokenRange {
  const { table } = builder;
  if (table.tokens[range.from]?.upper === '(') return { from: range.from, to: nextAtLevel(table, range.from) };
  if (!isWord(table, range.from, 'VALUES')) throw new NotLocated('the brackets of a sub-query in FROM');
  let to = nextAtLevel(table, range.from + 1);
  while (table.tokens[to]?.upper === ',' && table.tokens[to + 1]?.upper === '(') to = nextAtLevel(table, to + 1);
  return { from: range.from, to };
}

function addRelation(
  builder: Builder,
  block: BlockDraft,
  named: { readonly kind: RelationShape['kind']; readonly name: NamePart[] },
  found: TokenRange,
  alias: TreeAlias | undefined,
  range: TokenRange,
): Draft<RelationShape> {
  const behind = { from: found.to, to: range.to };
  const relation: Draft<RelationShape> = {
    ...named,
    alias: alias?.name === undefined ? undefined : locateName(builder, [alias.name], behind, 'alias').parts[0],
    columnAliases: locateAll(builder, alias?.columns ?? [], behind),
    span: mustSpan(builder, found),
    block: undefined,
    lateral: false,
  };
  block.relations.push(relation);
  return relation;
}
