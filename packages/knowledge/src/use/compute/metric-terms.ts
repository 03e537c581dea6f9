import type { AttributeId, RelationId, SchemaIndex } from '@askema/core';
import type { BoundKnowledge } from '../../bind/bound-knowledge.ts';
import type { AnalysedMetric } from '../../compile/analyse-metric.ts';
import type { Call, Expression } from '../../expression/expression.ts';
import { columnsIn, mapColumns, walkExpression } from '../../expression/walk-expression.ts';
import { alwaysHolds } from '../always-holds.ts';
import { attributeColumn, attributeOf, Unclear } from './computed-column.ts';

/** A metric over columns of the catalog. */
export interface MetricTerms {
  /** Its columns are keys of measures. */
  readonly value: Expression;
  readonly measures: readonly MeasureTerms[];
}

interface MeasureTerms {
  readonly key: string;
  readonly call: Call;
  /** Whose rows are aggregated. */
  readonly home: RelationId;
  /** Columns of `home` that differ in every row. */
  readonly unique: readonly AttributeId[];
  /** With what always holds of its rows. */
  readonly filters: readonly Expression[];
}

/** Throws `Unclear` for a metric whose value is that of other periods, or of rows that are chosen. */
export function termsOf({ value, measures }: AnalysedMetric, bound: BoundKnowledge, index: SchemaIndex): MetricTerms {
  const idOf = (relation: RelationId | undefined, name: string): AttributeId => {
    const attribute = relation === undefined ? undefined : index.attributeNamed(relation, name);
    if (attribute === undefined) throw new Unclear();
    return attribute.id;
  };
  const overCatalog = (expression: Expression): Expression =>
    mapColumns(expression, (column) => {
      const dataset = column.bound && bound.datasets.get(column.bound.dataset.toLowerCase());
      return attributeColumn(idOf(dataset?.relation, column.bound?.column ?? ''));
    });
  return {
    value,
    measures: measures.map(({ key, call, dataset, filters, lasting, running, shifts }) => {
      const home = dataset.relation;
      if (home === undefined || lasting !== undefined || running !== undefined || shifts.length > 0)
        throw new Unclear();
      return {
        key,
        call: overCatalog(call) as Call,
        home,
        unique: dataset.keys.flatMap((key) => (key.length === 1 ? idOf(home, key[0] ?? '') : [])),
        filters: [...filters, ...alwaysHolds(dataset, bound)].map(overCatalog),
      };
    }),
  };
}

/** The columns whose values a measure is of: a key, a star or a constant only counts rows. */
export function measuredColumns(call: Call, unique: ReadonlySet<AttributeId>): ReadonlySet<AttributeId> {
  const found = new Set<AttributeId>();
  const add = (part: Expression): void => {
    walkExpression(part, (one) => {
      if (one.kind === 'case') {
        for (const { result } of one.branches) add(result);
        if (one.otherwise !== undefined) add(one.otherwise);
        return false;
      }
      const id = attributeOf(one);
      if (id !== undefined && !unique.has(id)) found.add(id);
      return true;
    });
  };
  for (const argument of [...call.arguments, ...(call.withinGroup ? [call.withinGroup.expression] : [])]) add(argument);
  return found;
}

export function attributesIn(expressions: readonly Expression[]): ReadonlySet<AttributeId> {
  return new Set(expressions.flatMap(columnsIn).flatMap((column) => attributeOf(column) ?? []));
}
