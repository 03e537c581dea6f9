import {
  AskemaError,
  type AttributeId,
  didYouMean,
  type Edit,
  type Fix,
  type InspectionFinding,
  type RelationId,
  type Severity,
  type Span,
} from '@askema/core';
import type { FilterShape, OperandShape, QueryBlock } from '@askema/sql';
import { aggregatesOf, attributeName, conjuncts, originOf, relationLabel } from '../resolve/query-facts.ts';
import type { ResolvedBlock, ResolvedQuery } from '../resolve/resolved-query.ts';
import { defineRule, type InspectionRule, type RuleFinding } from './rule.ts';

/** The condition that has to stand. */
export interface RequiredFilter {
  /** The tested attribute: `relation.attribute`. */
  readonly attribute: string;
  /** What stands behind it in the condition that a fix adds: `= 0`, `IS NOT NULL`. */
  readonly condition: string;
  /** Whether a test of that attribute will do. Default: any. */
  readonly accepts?: ((filter: FilterShape, query: ResolvedQuery) => boolean) | undefined;
}

export interface RequireFilterOptions {
  /** `custom/words-with-hyphens` */
  readonly code: InspectionFinding['code'];
  /** What the rule is about: an attribute as `relation.attribute`, or a relation. Exactly one of the two. */
  readonly attribute?: string | undefined;
  readonly relation?: string | undefined;
  /** Default: `aggregated` for an attribute, `used` for a relation. */
  readonly when?: 'aggregated' | 'selected' | 'used' | undefined;
  readonly filter: RequiredFilter;
  /** For a person: why. */
  readonly message: string;
  /** Default `error`. */
  readonly severity?: Severity | undefined;
}

/**
 * A rule of the kind "whenever X is aggregated, a filter on Y must stand": in WHERE or a join's condition, under ANDs
 * only, of the same query, of one around it, or of a sub-query, CTE or derived table that it reads.
 *
 * @throws AskemaError `CONFIG_INVALID` for invalid options.
 */
export function requireFilter(options: RequireFilterOptions): InspectionRule {
  const { code, attribute, relation, filter, message, severity = 'error' } = options;
  if ((attribute === undefined) === (relation === undefined))
    throw new AskemaError(
      'CONFIG_INVALID',
      `The rule ${code} needs either an attribute or a relation that it is about.`,
    );
  const when = options.when ?? (attribute === undefined ? 'used' : 'aggregated');
  return defineRule({
    code,
    severity,
    title: message,
    check(query) {
      const tested = namedAttribute(query, filter.attribute);
      const uses =
        attribute !== undefined
          ? usesOfAttribute(query, namedAttribute(query, attribute), when)
          : usesOfRelation(query, namedRelation(query, relation ?? ''));
      const condition = `${attributeName(query, tested, { qualified: true })} ${filter.condition}`;
      return uses.flatMap(({ block, span }): RuleFinding[] => {
        if (isFiltered(query, block, tested, filter)) return [];
        const fix = filterFix(query, block, tested, filter.condition);
        return [{ message, advice: `Add the condition ${condition}.`, span, ...(fix === undefined ? {} : { fix }) }];
      });
    },
  });
}

interface Use {
  readonly block: ResolvedBlock;
  readonly span: Span;
}

/** One for each block: the first. */
function usesOfAttribute(query: ResolvedQuery, attribute: AttributeId, when: string): readonly Use[] {
  return query.blocks.flatMap((resolved): Use[] => {
    const { block } = resolved;
    const isIt = (column: number): boolean => originOf(query, block.id, column) === attribute;
    if (when === 'aggregated') {
      const call = aggregatesOf(block).find(({ columns }) => columns.some(isIt));
      return call === undefined ? [] : [{ block: resolved, span: call.span }];
    }
    const column = block.columns.find((shape, index) => (when === 'used' || shape.clause === 'select') && isIt(index));
    return column === undefined ? [] : [{ block: resolved, span: column.span }];
  });
}

function usesOfRelation(query: ResolvedQuery, relation: string): readonly Use[] {
  return query.blocks.flatMap((resolved): Use[] => {
    const position = resolved.relations.findIndex((found) => found.kind === 'relation' && found.id === relation);
    const shape = resolved.block.relations[position];
    return shape === undefined ? [] : [{ block: resolved, span: shape.span }];
  });
}

function isFiltered(query: ResolvedQuery, use: ResolvedBlock, tested: AttributeId, filter: RequiredFilter): boolean {
  return blocksAround(query, use).some(({ block }) =>
    filtersOf(block).some(
      (candidate) =>
        [candidate.left, ...candidate.right].some(({ columns }) =>
          columns.some((column) => originOf(query, block.id, column) === tested),
        ) &&
        (filter.accepts?.(candidate, query) ?? true),
    ),
  );
}

function filtersOf(block: QueryBlock): readonly FilterShape[] {
  return [...conjuncts(block, 'where'), ...block.joins.flatMap((_, join) => conjuncts(block, { join }))];
}

/** The block itself, those around it, and those that any of their rows come from or are tested with. */
function blocksAround({ blocks }: ResolvedQuery, start: ResolvedBlock): readonly ResolvedBlock[] {
  const found = new Set<ResolvedBlock>([start]);
  for (const resolved of found) {
    const { parent, subqueries, setOperation } = resolved.block;
    const read = resolved.relations.flatMap((relation) => (relation.kind === 'block' ? relation.block : []));
    const inner = subqueries.map(({ block }) => block);
    for (const id of [
      ...read,
      ...inner,
      ...(setOperation?.operands ?? []),
      ...(parent === undefined ? [] : [parent]),
    ]) {
      const next = blocks[id];
      if (next !== undefined) found.add(next);
    }
  }
  return [...found];
}

/** Adds the condition where the tested relation stands in the same FROM. */
function filterFix(
  query: ResolvedQuery,
  { block, relations }: ResolvedBlock,
  tested: AttributeId,
  condition: string,
): Fix | undefined {
  const owner = query.index.attribute(tested)?.relation;
  const position = relations.findIndex((relation) => relation.kind === 'relation' && relation.id === owner);
  if (position < 0) return undefined;
  const label = relationLabel(query, { block: block.id, relation: position });
  const text = `${label}.${attributeName(query, tested)} ${condition}`;
  const root = block.conditions.where;
  const edits: Edit[] = [];
  if (root === undefined) {
    const end = block.clauses.from?.end;
    if (end === undefined) return undefined;
    edits.push({ span: { start: end, end }, text: ` WHERE ${text}` });
  } else {
    const isOr = root.kind === 'or';
    if (isOr) edits.push({ span: { start: root.span.start, end: root.span.start }, text: '(' });
    edits.push({ span: { start: root.span.end, end: root.span.end }, text: `${isOr ? ')' : ''} AND ${text}` });
  }
  return { description: `Add ${text}`, edits };
}

export interface RequireFormatOptions {
  /** `relation.attribute` */
  readonly attribute: string;
  /** What the whole text of a value has to match, flags of the expression included. */
  readonly pattern: RegExp;
  /** For a person: what the format is. */
  readonly message: string;
  /** A value in the right format, for the advice. */
  readonly example?: string | undefined;
  /** Default `value-format`; `custom/words-with-hyphens` tells several rules apart. */
  readonly code?: InspectionFinding['code'] | undefined;
  /** Default `error`. */
  readonly severity?: Severity | undefined;
}

/** Operators whose values are whole values of the attribute; patterns of LIKE are parts. */
const WHOLE: ReadonlySet<FilterShape['operator']> = new Set([
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  'in',
  'between',
  'is distinct from',
]);

/**
 * A rule about the format of the values that an attribute is compared with: texts and numbers in conditions on the bare
 * attribute.
 *
 * @throws AskemaError `CONFIG_INVALID` for an invalid code.
 */
export function requireFormat(options: RequireFormatOptions): InspectionRule {
  const { attribute, message, example, code = 'value-format', severity = 'error' } = options;
  // Sticky and global expressions carry state from one test to the next.
  const pattern = new RegExp(`^(?:${options.pattern.source})$`, options.pattern.flags.replace(/[gy]/g, ''));
  return defineRule({
    code,
    severity,
    title: message,
    check(query) {
      const wanted = namedAttribute(query, attribute);
      const column = attributeName(query, wanted, { qualified: true });
      return query.blocks.flatMap(({ block }) =>
        block.filters.flatMap((filter) => {
          const sides = [filter.left, ...filter.right];
          const isAbout = sides.some(
            ({ kind, columns }) =>
              kind === 'column' && columns.some((index) => originOf(query, block.id, index) === wanted),
          );
          if (!isAbout || !WHOLE.has(filter.operator)) return [];
          return sides.flatMap((side) => {
            const value = literalText(side);
            if (value === undefined || pattern.test(value)) return [];
            const finding: RuleFinding = {
              message: `${message} ${column} is compared with ${JSON.stringify(value)}.`,
              advice: `Write the value in the format of ${column}${example === undefined ? '' : `, for example ${JSON.stringify(example)}`}.`,
              span: side.span,
              column,
              value,
            };
            return [finding];
          });
        }),
      );
    },
  });
}

function literalText({ kind, literal }: OperandShape): string | undefined {
  if (kind !== 'literal' || (literal?.type !== 'string' && literal?.type !== 'number')) return undefined;
  return literal.value;
}

/**
 * The relation that a rule names: `orders`, `sales.orders`.
 *
 * @throws AskemaError `CONFIG_INVALID` when the catalog has no such relation, or several.
 */
function namedRelation({ index }: Pick<ResolvedQuery, 'index'>, name: string): RelationId {
  const [found, ...others] = index.relationsNamed(name);
  if (found !== undefined && others.length === 0) return found.id;
  const hint = didYouMean(
    name,
    index.schema.relations.map((relation) => relation.name),
  );
  throw new AskemaError(
    'CONFIG_INVALID',
    found === undefined
      ? `The rule names the relation ${name}, which the database does not have. ${hint}`.trim()
      : `The rule names the relation ${name}, of which the database has several; write its schema in front.`,
  );
}

/**
 * The attribute that a rule names behind its relation: `orders.total`, `sales.orders.total`.
 *
 * @throws AskemaError `CONFIG_INVALID` when the catalog has no such attribute.
 */
function namedAttribute(query: Pick<ResolvedQuery, 'index'>, name: string): AttributeId {
  const dot = name.lastIndexOf('.');
  if (dot <= 0)
    throw new AskemaError(
      'CONFIG_INVALID',
      `The rule names ${name}; write relation.attribute, for example orders.total.`,
    );
  const relation = namedRelation(query, name.slice(0, dot));
  const attribute = query.index.attributeNamed(relation, name.slice(dot + 1));
  if (attribute !== undefined) return attribute.id;
  const hint = didYouMean(
    name.slice(dot + 1),
    query.index.attributesOf(relation).map((other) => other.name),
  );
  throw new AskemaError(
    'CONFIG_INVALID',
    `The rule names the attribute ${name}, which the database does not have. ${hint}`.trim(),
  );
}
