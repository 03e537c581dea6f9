import type { Fix } from '@askema/core';
import type { NamePart, RelationRef } from '@askema/sql';
import { conjuncts, isSameName, relationLabel, textOf } from '../../resolve/query-facts.ts';
import type { ResolvedBlock, ResolvedQuery } from '../../resolve/resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../rule.ts';
import { listOf } from './unknown-names.ts';

/** A column without qualifier that several relations of the same FROM have: engines refuse it. */
export const ambiguousColumn: InspectionRule = {
  code: 'ambiguous-column',
  severity: 'error',
  title: 'Several relations have a column of this name, and no qualifier says which.',
  check: (query) =>
    query.blocks.flatMap((block) =>
      block.columns.flatMap((resolved, index): RuleFinding[] => {
        const shape = block.block.columns[index];
        if (resolved.kind !== 'ambiguous' || shape === undefined) return [];
        const name = textOf(query, shape.span);
        const labels = resolved.among.map((ref) => relationLabel(query, ref));
        const preferred = equalEverywhere(query, block, resolved.among, shape.name);
        const fix: Fix | undefined =
          preferred === undefined
            ? undefined
            : {
                description: `Write ${relationLabel(query, preferred)}.${name}`,
                edits: [
                  {
                    span: { start: shape.span.start, end: shape.span.start },
                    text: `${relationLabel(query, preferred)}.`,
                  },
                ],
              };
        return [
          {
            message: `${name} is ambiguous: ${listOf(labels)} have it.`,
            advice: `Write ${listOf(
              labels.map((label) => `${label}.${name}`),
              'or',
            )}.`,
            span: shape.span,
            ...(fix === undefined ? {} : { fix }),
          },
        ];
      }),
    ),
};

/**
 * The first of the relations, where inner and left joins make the column equal in all of them; a left join keeps its
 * left side.
 */
function equalEverywhere(
  query: ResolvedQuery,
  { block, columns }: ResolvedBlock,
  among: readonly RelationRef[],
  name: NamePart,
): RelationRef | undefined {
  if (block.joins.some(({ kind }) => kind === 'right' || kind === 'full' || kind === 'other')) return undefined;
  const linked = new Map<number, Set<number>>();
  const filters = [...conjuncts(block, 'where'), ...block.joins.flatMap((_, join) => conjuncts(block, { join }))];
  for (const { operator, left, right } of filters) {
    const sides = [left, right[0]].flatMap((side) => {
      const column = side?.kind === 'column' ? side.columns[0] : undefined;
      const resolved = column === undefined ? undefined : columns[column];
      const part = column === undefined ? undefined : block.columns[column]?.name;
      if (resolved === undefined || part === undefined || !isSameName(query, part, name)) return [];
      if (resolved.kind !== 'attribute' && resolved.kind !== 'output') return [];
      return resolved.relation.block === block.id ? [resolved.relation.relation] : [];
    });
    const [a, b] = sides;
    if (operator !== '=' || a === undefined || b === undefined) continue;
    for (const [from, to] of [[a, b] as const, [b, a] as const]) {
      const reached = linked.get(from) ?? new Set<number>();
      linked.set(from, reached.add(to));
    }
  }
  const [first, ...others] = among;
  if (first === undefined) return undefined;
  const reached = new Set([first.relation]);
  for (const relation of reached) for (const next of linked.get(relation) ?? []) reached.add(next);
  return others.every(({ relation }) => reached.has(relation)) ? first : undefined;
}
