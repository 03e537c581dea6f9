import type { AttributeId, RelationId } from '@askema/core';
import { isUniqueIn } from '@askema/lint';
import type { Expression } from '../../expression/expression.ts';
import { aggregatesIn } from './compare-metric.ts';
import { attributeOf } from './computed-column.ts';
import { type MetricTerms, measuredColumns } from './metric-terms.ts';
import type { AggregateOfBlock, RowCondition, StatementReader } from './statement-reader.ts';

/** Rows that an aggregate takes several times. */
export interface RepeatedRows {
  readonly of: RelationId;
  /** Once for each row of these. */
  readonly by: readonly RelationId[];
}

/**
 * The rows of a metric that joins of the statement repeat, by the keys that the catalog and the knowledge declare;
 * undefined where none are, or where keys are not known.
 */
export function repeatedRows(
  expression: Expression,
  terms: MetricTerms,
  reader: StatementReader,
): RepeatedRows | undefined {
  for (const at of aggregatesIn(expression, reader)) {
    const aggregate = reader.aggregates[at];
    const home = aggregate && homeOf(aggregate, terms, reader);
    if (aggregate === undefined || home === undefined) continue;
    const by = repeating(home, aggregate.block, reader);
    if (by.length > 0) return { of: home, by };
  }
  return undefined;
}

/** Whose rows an aggregate is of; undefined where it takes each value once, or it cannot be told. */
function homeOf({ call, block }: AggregateOfBlock, { measures }: MetricTerms, reader: StatementReader) {
  const { relations, groupsOf } = reader.rowsOf(block);
  if (groupsOf !== undefined || call.isDistinct || /^(MIN|MAX)$/.test(call.name)) return undefined;
  const homes = new Set(measures.map(({ home }) => home).filter((home) => relations.has(home)));
  const columns = measuredColumns(call, new Set());
  const own = new Set([...columns].flatMap((id) => reader.query.index.attribute(id)?.relation ?? []));
  const [home, other] = columns.size === 0 ? homes : [...own].filter((id) => homes.has(id));
  return other === undefined ? home : undefined;
}

/** Relations of which several rows may stand beside one of `home`. */
function repeating(home: RelationId, id: number, reader: StatementReader): readonly RelationId[] {
  const { query } = reader;
  const { relations, conditions, outer } = reader.rowsOf(id);
  const all = [...conditions, ...outer.flatMap(({ on }) => on)];
  const pairs = all.flatMap((one) => (one.kind === 'pair' ? [one.sides] : []));
  const fixed = new Set(groupedBy(id, reader));
  const known = new Set([home]);
  const relationOf = (attribute: AttributeId): RelationId | undefined => query.index.attribute(attribute)?.relation;
  const isKnown = (attribute: AttributeId): boolean => {
    const relation = relationOf(attribute);
    return relation !== undefined && known.has(relation);
  };
  for (let before = 0; before < known.size; ) {
    before = known.size;
    for (const relation of relations) {
      const met = pairs
        .flatMap(([left, right]) => [...(isKnown(left) ? [right] : []), ...(isKnown(right) ? [left] : [])])
        .filter((attribute) => relationOf(attribute) === relation);
      if (isUniqueIn(query, relation, [...met, ...fixed])) known.add(relation);
    }
  }
  const open = [...relations].filter((relation) => !known.has(relation));
  const isTied = (relation: RelationId): boolean => all.some((one) => tiedColumn(one, relationOf) === relation);
  const hasKey = (relation: RelationId): boolean =>
    query.index.primaryKey(relation) !== undefined || query.catalog.uniqueKeys.some((key) => key.relation === relation);
  return open.every((relation) => hasKey(relation) && !isTied(relation)) ? open : [];
}

/** A relation that a condition ties to one value may have one row only. */
function tiedColumn(
  condition: RowCondition,
  relationOf: (attribute: AttributeId) => RelationId | undefined,
): RelationId | undefined {
  if (condition.kind !== 'computed') return undefined;
  const { expression } = condition;
  if (expression.kind !== 'binary' || expression.operator !== '=') return undefined;
  const id = attributeOf(expression.left) ?? attributeOf(expression.right);
  return id === undefined ? undefined : relationOf(id);
}

function groupedBy(id: number, { query }: StatementReader): readonly AttributeId[] {
  const block = query.shape.blocks[id];
  return (block?.groupings ?? []).flatMap(({ columns, item }) =>
    [...columns, ...(item === undefined ? [] : (block?.items[item]?.columns ?? []))].flatMap((at) => {
      const column = query.blocks[id]?.columns[at];
      if (column?.kind === 'attribute') return column.attribute;
      return column?.kind === 'output' ? (column.output.attribute ?? []) : [];
    }),
  );
}
