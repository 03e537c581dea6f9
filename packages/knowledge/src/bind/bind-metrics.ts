import { didYouMean } from '@askema/core';
import { ansiLexer } from '@askema/dialects';
import type { Expression } from '../expression/expression.ts';
import { columnsIn, walkExpression } from '../expression/walk-expression.ts';
import type { Aggregate, MetricInput } from '../model/metric-definition.ts';
import type { Metric } from '../model/semantic-model.ts';
import { type ChosenExpression, remarksOnDialects, usableExpressions } from './choose-expression.ts';
import { dependsOn, unknownDataset } from './look-up-name.ts';
import type { Remark } from './problem-list.ts';
import {
  hasAggregate,
  type NameScope,
  readText,
  remarksOnCondition,
  remarksOnName,
  remarksOnNames,
} from './remarks-on-names.ts';

/** The metrics that another is made of. */
export function inputsOf({ definition }: Metric): readonly MetricInput[] {
  switch (definition.kind) {
    case 'aggregate':
      return [];
    case 'ratio':
      return [definition.numerator, definition.denominator];
    case 'derived':
      return definition.inputs;
    case 'cumulative':
      return [definition.input];
  }
}

/** What is wrong with a metric by itself; whether its inputs are there is looked at for all metrics together. */
export function remarksOnMetric(metric: Metric, scope: NameScope): readonly Remark[] {
  const { definition } = metric;
  const where = `Metric \`${metric.name}\``;
  const home = definition.kind === 'aggregate' ? definition.dataset : undefined;
  const filters = [definition.filter, ...inputsOf(metric).map(({ filter }) => filter)];
  const remarks = [
    ...(definition.kind === 'aggregate' ? remarksOnAggregate(definition, where, scope) : []),
    ...(definition.kind === 'derived' ? remarksOnDerived(definition, where) : []),
    ...filters.flatMap((filter) =>
      filter === undefined ? [] : remarksOnCondition(filter, `The filter of ${where}`, scope, home),
    ),
  ];
  return [...new Map(remarks.map((remark) => [remark.message, remark])).values()];
}

function remarksOnAggregate(definition: Aggregate, where: string, scope: NameScope): readonly Remark[] {
  const { expressions, dataset, time, nonAdditive } = definition;
  const isHomeless = dataset !== undefined && !scope.datasets.has(dataset.toLowerCase());
  // Its names mean nothing without its dataset.
  if (isHomeless)
    return [
      scope.isBroken(dataset)
        ? dependsOn('dataset', dataset)
        : {
            ...unknownDataset(dataset, scope.datasets),
            message: `${where} is of \`${dataset}\`, which is no dataset.`,
          },
    ];
  const names = [time, nonAdditive?.field, ...(nonAdditive?.within ?? [])].filter((name) => name !== undefined);
  return [
    ...remarksOnDialects(expressions, where, scope.dialect),
    ...usableExpressions(expressions, scope.dialect).flatMap((one) => remarksOnText(one, where, dataset, scope)),
    ...names.flatMap((name) => remarksOnName(name.split('.'), where, scope, dataset)),
  ];
}

/** A metric aggregates, and something says whose rows. */
function remarksOnText(
  { text, lexer }: ChosenExpression,
  where: string,
  dataset: string | undefined,
  scope: NameScope,
): readonly Remark[] {
  const read = readText(text, lexer, where);
  if ('code' in read) return [read];
  const remarks = [...remarksOnNames(read.expression, where, scope, dataset)];
  if (!hasAggregate(read.expression))
    remarks.push({
      code: 'no-aggregate',
      message: `${where} has no aggregate such as SUM or COUNT: one value for many rows is not defined.`,
      advice: 'Say how its rows are put together: SUM(…), AVG(…), COUNT(DISTINCT …).',
    });
  const isOpen = dataset === undefined && scope.datasets.size > 1;
  const without = isOpen ? aggregateWithoutColumn(read.expression) : undefined;
  if (without !== undefined)
    remarks.push({
      code: 'no-dataset',
      message: `${where} calls ${without} without a column: nothing says which dataset's rows it counts.`,
      advice: 'Name its dataset, or count a column: COUNT(orders.order_id).',
    });
  return remarks;
}

function aggregateWithoutColumn(expression: Expression): string | undefined {
  let found: string | undefined;
  walkExpression(expression, (part) => {
    if (part.kind === 'call' && part.isAggregate && columnsIn(part).length === 0) found ??= part.name;
  });
  return found;
}

function remarksOnDerived(
  { expression: text, inputs }: { readonly expression: string; readonly inputs: readonly MetricInput[] },
  where: string,
): readonly Remark[] {
  const read = readText(text, ansiLexer, where);
  if ('code' in read) return [read];
  const aliases = inputs.map(({ alias, metric }) => alias ?? metric);
  const lower = aliases.map((alias) => alias.toLowerCase());
  const remarks: Remark[] = [];
  walkExpression(read.expression, (part) => {
    if (part.kind === 'call' && part.isAggregate)
      remarks.push({
        code: 'aggregate-in-derived',
        message: `${where} calls ${part.name}, but a derived metric computes with metrics, which are aggregated already.`,
      });
    else if (part.kind === 'column' && (part.qualifier.length > 0 || !lower.includes(part.name.toLowerCase())))
      remarks.push({
        code: 'unknown-input',
        message: `${where} names \`${[...part.qualifier, part.name].join('.')}\`, which is none of its inputs.`,
        advice: didYouMean(part.name, aliases) || `Its inputs are ${aliases.join(', ')}.`,
      });
  });
  const again = aliases.find((_, at) => lower.indexOf(lower[at] ?? '') !== at);
  if (again !== undefined)
    remarks.push({
      code: 'input-twice',
      message: `Two inputs of ${where} are called \`${again}\`.`,
      advice: 'Give one of them an alias.',
    });
  return remarks;
}
