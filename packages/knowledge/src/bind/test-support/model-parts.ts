import { buildCatalog, type Catalog, type Dialect } from '@askema/core';
import type { Knowledge } from '../../model/knowledge.ts';
import type { MetricDefinition } from '../../model/metric-definition.ts';
import {
  ansi,
  type Dataset,
  type Field,
  type Metric,
  type Relationship,
  type SemanticModel,
} from '../../model/semantic-model.ts';
import type { Standing } from '../../model/standing.ts';

/** For tests: knowledge in few words. */
export const ACCEPTED: Standing = {
  state: 'accepted',
  source: 'file',
  place: { file: 'models/shop.ossie.yaml', line: 1 },
};

export function field(name: string, expression: string = name, more: Partial<Field> = {}): Field {
  return { name, expressions: ansi(expression), values: [], extensions: [], ...more };
}

export function dataset(name: string, fields: readonly Field[], more: Partial<Dataset> = {}): Dataset {
  return { name, source: name, primaryKey: [], uniqueKeys: [], fields, extensions: [], standing: ACCEPTED, ...more };
}

/** `orders.customer_id > customers.customer_id` */
export function join(path: string, more: Partial<Relationship> = {}): Relationship {
  const [from = '', to = ''] = path.split(' > ');
  const [fromName = '', ...fromColumns] = from.split('.');
  const [toName = '', ...toColumns] = to.split('.');
  const ends = { from: fromName, to: toName, fromColumns, toColumns };
  return { name: `${fromName}_${toName}`, ...ends, extensions: [], standing: ACCEPTED, ...more };
}

export function metric(name: string, definition: MetricDefinition | string, more: Partial<Metric> = {}): Metric {
  const whole: MetricDefinition =
    typeof definition === 'string' ? { kind: 'aggregate', expressions: ansi(definition) } : definition;
  return { name, definition: whole, extensions: [], standing: ACCEPTED, ...more };
}

export function knowledge(model: Partial<SemanticModel>, more: Partial<Knowledge> = {}): Knowledge {
  const whole: SemanticModel = {
    name: 'shop',
    datasets: [],
    relationships: [],
    metrics: [],
    filters: [],
    extensions: [],
    standing: ACCEPTED,
    ...model,
  };
  return { schemaVersion: 1, settings: {}, models: [whole], verifiedQueries: [], texts: [], problems: [], ...more };
}

/** A catalog of tables, each `schema.table` or `table` with columns like `amount DECIMAL(10,2)`. */
export function catalogOf(dialect: Dialect, tables: Readonly<Record<string, readonly string[]>>): Catalog {
  return buildCatalog({
    dialect,
    name: 'test',
    relations: Object.entries(tables).map(([path, columns]) => {
      const [relation = '', schema, database] = path.split('.').reverse();
      return {
        nameParts: { database, schema, relation },
        kind: 'table',
        attributes: columns.map((column) => {
          const [name = '', nativeType = ''] = column.split(/ (.*)/);
          return { name, nativeType };
        }),
      };
    }),
  });
}
