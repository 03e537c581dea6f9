import { AskemaError } from '../../../errors/askema-error.ts';
import type { FilterShape, QueryBlock, Span } from '../../../ports/query-shape.ts';
import type { AttributeId } from '../../../schema/schema.ts';
import { defineRule } from '../../define-rule.ts';
import type { Edit, Fix, InspectionFinding, Severity } from '../../finding.ts';
import { aggregatesOf, attributeName, conjuncts, originOf, relationLabel } from '../../resolve/index.ts';
import type { ResolvedBlock, ResolvedQuery } from '../../resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../../rule.ts';
import { namedAttribute, namedRelation } from './named-attribute.ts';

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
 * A rule of the kind "whenever X is aggregated, a filter on Y must stand": in WHERE or a join's condition, under ANDs only, of the same
 * query, of one around it, or of a sub-query, CTE or derived table that it reads.
 *
 * @throws AskemaError `CONFIG_INVALID` for options that are none.
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
