import type { MetricRequest } from '../compile/metric-request.ts';
import type { Knowledge } from '../model/knowledge.ts';
import type { MetricDefinition, MetricInput } from '../model/metric-definition.ts';
import {
  ansi,
  type Dataset,
  type Field,
  type FieldType,
  type Metric,
  type SemanticModel,
} from '../model/semantic-model.ts';
import type { Standing } from '../model/standing.ts';
import {
  type Arithmetic,
  type Cell,
  columnOf,
  isOperation,
  leavesOf,
  type PlainAggregate,
  type PlainColumn,
  type PlainCondition,
  type PlainInput,
  type PlainMetric,
  type PlainRequest,
  type PlainStar,
  type PlainTable,
  type PlainType,
} from './plain-star.ts';

const STANDING: Standing = { state: 'accepted', source: 'file', place: { file: 'models/star.ossie.yaml', line: 1 } };

const FIELD_TYPES: Readonly<Record<PlainType, FieldType>> = {
  integer: 'Integer',
  decimal: 'Decimal',
  text: 'String',
  date: 'Date',
  timestamp: 'DateTime',
  boolean: 'Boolean',
};

/** What a model says of a star beside its structure: words for people. */
export interface StarWords {
  readonly dataset?: (name: string) => Partial<Dataset>;
  readonly field?: (dataset: string, name: string) => Partial<Field>;
  readonly metric?: (name: string) => Partial<Metric>;
  readonly model?: Partial<SemanticModel>;
}

/** Knowledge that defines the metrics of a star by SQL. */
export function knowledgeOf(star: PlainStar, words: StarWords = {}): Knowledge {
  const { fiscalYearStart, weekStart } = star.calendar ?? {};
  return {
    schemaVersion: 1,
    settings: { fiscalYearStart, weekStart },
    models: [modelOf(star, words)],
    verifiedQueries: [],
    texts: [],
    problems: [],
  };
}

function modelOf(star: PlainStar, words: StarWords): SemanticModel {
  return {
    name: 'star',
    datasets: star.tables.map((table) => ({ ...datasetOf(star, table, words), ...words.dataset?.(table.name) })),
    relationships: star.links.map(({ from, column, to, toColumn }) => ({
      name: `${from}_${column}`,
      from,
      to,
      fromColumns: [column],
      toColumns: [toColumn],
      extensions: [],
      standing: STANDING,
    })),
    metrics: star.metrics.map((metric) => ({
      name: metric.name,
      definition: definitionOf(star, metric),
      extensions: [],
      standing: STANDING,
      ...words.metric?.(metric.name),
    })),
    filters: [],
    extensions: [],
    standing: STANDING,
    ...words.model,
  };
}

function datasetOf(star: PlainStar, table: PlainTable, words: StarWords): Dataset {
  return {
    name: table.name,
    source: table.source ?? table.name,
    primaryKey: table.key === undefined ? [] : [table.key],
    uniqueKeys: [],
    fields: table.columns.map((column) => ({
      ...fieldOf(column),
      ...words.field?.(table.name, column.field ?? column.name),
    })),
    ...(table.filter === undefined ? {} : { defaultFilter: conditionSql(star, table.filter) }),
    ...(table.time === undefined ? {} : { defaultTime: table.time }),
    extensions: [],
    standing: STANDING,
  };
}

function fieldOf({ name, field = name, type }: PlainColumn): Field {
  return {
    name: field,
    // A keyword as a name.
    expressions: ansi(name === 'order' ? `"${name}"` : name),
    dimension: { isTime: type === 'date' || type === 'timestamp' },
    type: FIELD_TYPES[type],
    values: [],
    extensions: [],
  };
}

function definitionOf(star: PlainStar, metric: PlainMetric): MetricDefinition {
  const base = {
    ...(metric.filter === undefined ? {} : { filter: conditionSql(star, metric.filter) }),
    ...(metric.empty === undefined ? {} : { empty: metric.empty }),
  };
  const input = (one: PlainInput): MetricInput => ({
    ...one,
    filter: one.filter === undefined ? undefined : conditionSql(star, one.filter),
  });
  switch (metric.kind) {
    case 'aggregate': {
      const [first, ...others] = new Set(leavesOf(metric.expression).map(({ dataset }) => dataset));
      return {
        ...base,
        kind: 'aggregate',
        expressions: ansi(arithmeticSql(metric.expression, (leaf) => aggregateSql(star, leaf))),
        ...(others.length === 0 ? { dataset: first } : {}),
        ...(metric.time === undefined ? {} : { time: metric.time }),
        ...(metric.nonAdditive === undefined ? {} : { nonAdditive: metric.nonAdditive }),
      };
    }
    case 'ratio':
      return { ...base, kind: 'ratio', numerator: input(metric.numerator), denominator: input(metric.denominator) };
    case 'derived':
      return {
        ...base,
        kind: 'derived',
        expression: arithmeticSql(metric.expression, ({ alias }) => alias),
        inputs: metric.inputs.map(input),
      };
    case 'cumulative': {
      const { window, grainToDate } = metric;
      return { ...base, kind: 'cumulative', input: input(metric.input), window, grainToDate };
    }
  }
}

export function requestOf(star: PlainStar, { where, order, ...request }: PlainRequest): MetricRequest {
  return {
    ...request,
    where: where.map((condition) => conditionSql(star, condition)),
    ...(order === undefined ? {} : { order: [order] }),
  };
}

function aggregateSql(star: PlainStar, { aggregate, dataset, field, when }: PlainAggregate): string {
  const operand = field === undefined ? undefined : `${dataset}.${field}`;
  const counted =
    when === undefined ? (operand ?? '*') : `CASE WHEN ${conditionSql(star, when)} THEN ${operand ?? '1'} END`;
  if (aggregate === 'distinct') return `COUNT(DISTINCT ${counted})`;
  return `${aggregate.toUpperCase()}(${counted})`;
}

function arithmeticSql<Leaf extends object>(expression: Arithmetic<Leaf>, leaf: (leaf: Leaf) => string): string {
  if (typeof expression === 'number') return String(expression);
  if (!isOperation(expression)) return leaf(expression);
  const side = (value: Arithmetic<Leaf>): string => {
    const text = arithmeticSql(value, leaf);
    return typeof value === 'object' && isOperation(value) ? `(${text})` : text;
  };
  return `${side(expression.left)} ${expression.operator} ${side(expression.right)}`;
}

function conditionSql(star: PlainStar, { field, test, values }: PlainCondition): string {
  const type = field === 'metric_time' ? 'date' : columnOf(star, field).type;
  const literals = values.map((value) => literalSql(value, type));
  if (test === 'null') return `${field} IS NULL`;
  if (test === 'not null') return `${field} IS NOT NULL`;
  if (test === 'in') return `${field} IN (${literals.join(', ')})`;
  return `${field} ${test} ${literals[0]}`;
}

function literalSql(value: Cell, type: PlainType): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value !== 'string') return String(value);
  const quoted = `'${value.replaceAll("'", "''")}'`;
  if (type === 'date') return `DATE ${quoted}`;
  return type === 'timestamp' ? `TIMESTAMP '${value.length === 10 ? `${value} 00:00:00` : value}'` : quoted;
}
