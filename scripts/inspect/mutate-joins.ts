import { quoteIfNeeded, type Span } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import type { QueryBlock } from '@askema/sql';
import { edited, type Mutation, type MutationSource, selectsOf, shuffled } from './mutation.ts';
import { attributesAt, keyAttributes, namedAttribute } from './named-attributes.ts';

/** A join is taken out with its condition, or only the condition is. */
export function* droppedJoins(source: MutationSource): Iterable<Mutation> {
  const { sql, shape, random } = source;
  for (const block of shuffled(selectsOf(shape), random)) {
    for (const join of shuffled(block.joins, random)) {
      const isNamed = shape.blocks.some((inner) =>
        inner.columns.some(
          ({ relation, span }) =>
            relation?.block === block.id && relation.relation === join.relation && !isInside(span, join.span),
        ),
      );
      yield {
        kind: 'dropped-join',
        subKind: isNamed ? 'join that is still named' : 'join that nothing names',
        sql: edited(sql, [{ span: join.span, text: ' ' }]),
      };
      const condition = conditionSpan(sql, block, join.span, join.relation);
      if (condition !== undefined && (join.condition !== undefined || join.using.length > 0))
        yield {
          kind: 'dropped-join',
          subKind: 'condition only',
          sql: edited(sql, [{ span: condition, text: ' ' }]),
        };
    }
  }
}

/** From ON or USING, which follows the relation and its alias, to the end of the join. */
function conditionSpan(sql: string, block: QueryBlock, join: Span, at: number): Span | undefined {
  const relation = block.relations[at];
  if (relation === undefined) return undefined;
  const start = relation.alias?.span.end ?? relation.span.end;
  return /^\s*(?:ON|USING)\b/i.test(sql.slice(start, join.end)) ? { start, end: join.end } : undefined;
}

function isInside(inner: Span, outer: Span): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/** One side of an equality between two relations becomes another column of the same relation and type. */
export function* swappedForeignKeys(source: MutationSource): Iterable<Mutation> {
  const { sql, shape, index, random } = source;
  const keys = keyAttributes(source);
  for (const block of shuffled(selectsOf(shape), random)) {
    for (const { pairs } of shuffled(block.joins, random)) {
      for (const position of shuffled(
        pairs.flatMap(({ left, right }) => [left, right]),
        random,
      )) {
        const column = block.columns[position];
        const named = column === undefined ? undefined : namedAttribute(source, block, column);
        if (column === undefined || named === undefined) continue;
        const others = attributesAt(source, named.at).filter(
          ({ id, type }) => id !== named.attribute.id && type === named.attribute.type,
        );
        for (const { id, name, relation } of shuffled(others, random)) {
          const isPrimary = index.primaryKey(relation)?.attributes.includes(id) === true;
          yield {
            kind: 'swapped-foreign-key',
            subKind: isPrimary ? 'primary key' : keys.has(id) ? 'another foreign key' : 'no key',
            sql: edited(sql, [{ span: column.name.span, text: quoteIfNeeded(name, sqliteDialect) }]),
          };
        }
      }
    }
  }
}
