import { quoteIfNeeded } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import type { ColumnShape, RelationRef } from '@askema/sql';
import { edited, type Mutation, type MutationSource, selectsOf, shuffled } from './mutation.ts';
import { attributesAt, exposedName, isSameName, namedAttribute } from './named-attributes.ts';

const CLAUSES = ['select', 'where', 'group by', 'order by'] as const;

/**
 * A reference to a column becomes one to another column: of the same relation, of another one in FROM, or of one that
 * is not there.
 */
export function* wrongColumns(source: MutationSource): Iterable<Mutation> {
  for (const block of shuffled(selectsOf(source.shape), source.random)) {
    for (const column of shuffled(block.columns, source.random)) {
      const clause = CLAUSES.find((name) => name === column.clause);
      const named = namedAttribute(source, block, column);
      if (clause === undefined || named === undefined) continue;
      const put = (text: string): string => edited(source.sql, [{ span: column.span, text }]);
      const qualifier = qualifierOf(source.sql, column);
      const others = attributesAt(source, named.at).filter(({ id }) => id !== named.attribute.id);
      for (const { name } of shuffled(others, source.random))
        yield { kind: 'wrong-column', subKind: `same relation, ${clause}`, sql: put(qualifier + written(name)) };
      const neighbours = block.relations
        .map((_, relation): RelationRef => ({ block: block.id, relation }))
        .filter(({ relation }) => block.id !== named.at.block || relation !== named.at.relation);
      for (const at of shuffled(neighbours, source.random)) {
        const outer = exposedName(source.sql, source, at);
        for (const { name } of shuffled(attributesAt(source, at), source.random))
          yield {
            kind: 'wrong-column',
            subKind: `other relation, ${clause}`,
            sql: put(`${outer}.${written(name)}`),
          };
      }
      for (const name of elsewhere(source, block.id))
        yield { kind: 'wrong-column', subKind: `elsewhere, ${clause}`, sql: put(qualifier + written(name)) };
    }
  }
}

const written = (name: string): string => quoteIfNeeded(name, sqliteDialect);

/** The qualifier with its dot, as written. */
function qualifierOf(sql: string, { span, name }: ColumnShape): string {
  return sql.slice(span.start, name.span.start);
}

/** Names of attributes that no relation of the block has. */
function elsewhere(source: MutationSource, block: number): string[] {
  const inSight = (source.shape.blocks[block]?.relations ?? []).flatMap((_, relation) =>
    attributesAt(source, { block, relation }),
  );
  const names = source.index.schema.attributes
    .filter(({ name }) => !inSight.some((attribute) => isSameName(attribute.name, name)))
    .map(({ name }) => name);
  return shuffled(names, source.random).slice(0, 3);
}
