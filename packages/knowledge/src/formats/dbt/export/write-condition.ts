import { ansiLexer } from '@askema/dialects';
import type { ColumnName } from '../../../expression/expression.ts';
import { parseExpression } from '../../../expression/parse-expression.ts';
import { replaceSpans } from '../../../expression/replace-spans.ts';
import { columnsIn } from '../../../expression/walk-expression.ts';
import { sameName } from '../../../model/same-name.ts';
import type { Dataset, Field, SemanticModel } from '../../../model/semantic-model.ts';
import { Unsayable } from '../unsayable.ts';
import type { EntityGraph } from './entity-graph.ts';

export interface FoundField {
  readonly dataset: Dataset;
  /** Undefined for a column of the source that has no field. */
  readonly field: Field | undefined;
  readonly name: string;
}

/** Reads an expression of ours. */
export function parse(text: string) {
  try {
    return parseExpression(text, ansiLexer);
  } catch (thrown) {
    throw new Unsayable(`it cannot be read: ${(thrown as Error).message.replace(/\.$/, '')}`);
  }
}

/** Looks a name up: `dataset.field`, or a bare one in `home` and then in the only dataset that has it. */
export function findField(column: ColumnName, model: SemanticModel, home: string | undefined): FoundField {
  const { name } = column;
  const qualifier = column.qualifier.at(-1) ?? home;
  const owners = model.datasets.filter((dataset) => dataset.fields.some((field) => sameName(field.name, name)));
  const dataset =
    qualifier === undefined
      ? owners.length === 1
        ? owners[0]
        : undefined
      : model.datasets.find((one) => sameName(one.name, qualifier));
  if (dataset === undefined)
    throw new Unsayable(`\`${[...column.qualifier, name].join('.')}\` is no field of one dataset`);
  return { dataset, field: dataset.fields.find((field) => sameName(field.name, name)), name };
}

/** The text of an expression with something else in the place of its columns. */
export function replaceColumns(text: string, replace: (column: ColumnName) => string): string {
  const columns = columnsIn(parse(text)).map((column) => ({ ...column.span, column }));
  return replaceSpans(text, columns, ({ column }) => replace(column));
}

/** What a field is in columns of its source. */
export function inColumns({ field, name }: FoundField): string {
  const expression = field?.expressions[0]?.expression ?? name;
  return /^\w+$/.test(expression) ? expression : `(${expression})`;
}

/** A condition as a filter of MetricFlow: each field as the path of entities that leads to it from all of `from`. */
export function writeFilter(
  condition: string,
  from: readonly Dataset[],
  model: SemanticModel,
  graph: EntityGraph,
): string {
  return replaceColumns(condition, (column) => {
    const found = findField(column, model, from.length === 1 ? from[0]?.name : undefined);
    const calls = new Set(from.map((start) => templateOf(found, start, graph)));
    const [call] = calls;
    if (call === undefined || calls.size > 1)
      throw new Unsayable(`${found.dataset.name}.${found.name} is reached in another way by each of its metrics`);
    return `{{ ${call} }}`;
  });
}

function templateOf(found: FoundField, start: Dataset, graph: EntityGraph): string {
  const { dataset, field, name } = found;
  const path = graph.pathTo(start.name, dataset.name);
  if (path === undefined) throw new Unsayable(`${start.name} does not lead to ${dataset.name} in one way`);
  const entities = graph.entitiesOf(dataset);
  const entity = entityOf(found, graph);
  if (entity !== undefined) return callOf('Entity', [`'${entity}'`], path);
  if (field?.dimension === undefined) throw new Unsayable(`${dataset.name}.${name} is no dimension`);
  const own = entities.find((one) => one.type === 'primary')?.name ?? dataset.name.toLowerCase();
  const whole = `'${path.at(-1) ?? own}__${field.name.toLowerCase()}'`;
  return field.dimension.isTime
    ? callOf('TimeDimension', [whole, `'${field.timeGrain ?? 'day'}'`], path.slice(0, -1))
    : callOf('Dimension', [whole], path.slice(0, -1));
}

/** In a filter, unlike in a query, a name holds one entity at most: those before it stand in a list. */
function callOf(name: string, given: readonly string[], path: readonly string[]): string {
  const list = path.map((entity) => `'${entity}'`).join(', ');
  return `${name}(${[...given, ...(path.length === 0 ? [] : [`entity_path=[${list}]`])].join(', ')})`;
}

/** The entity that a field is written as. */
export function entityOf({ dataset, field, name }: FoundField, graph: EntityGraph): string | undefined {
  const column = field?.expressions[0]?.expression;
  if (column === undefined || !sameName(column, name)) return undefined;
  return graph.entitiesOf(dataset).find((one) => sameName(one.column, column))?.name;
}
