import { type Dialect, didYouMean, isAskemaError, type LexerTraits } from '@askema/core';
import { ansiLexer } from '@askema/dialects';
import type { Expression } from '../expression/expression.ts';
import { parseExpression } from '../expression/parse-expression.ts';
import { columnsIn, walkExpression } from '../expression/walk-expression.ts';
import type { Aggregate, MetricInput } from '../model/metric-definition.ts';
import type { Metric } from '../model/semantic-model.ts';
import type { BoundDataset } from './bound-knowledge.ts';
import { chooseExpression, dialectTwice } from './choose-expression.ts';
import { dependsOn, lookUpName } from './look-up-name.ts';
import type { Remark } from './problem-list.ts';

/** What names in metrics and conditions are looked up in. */
export interface NameScope {
  readonly datasets: ReadonlyMap<string, BoundDataset>;
  /** Whether a dataset that is not there is defined and was left out. */
  isBroken(dataset: string): boolean;
  readonly dialect: Dialect;
}

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

/** What is wrong with a metric by itself: its inputs are looked at by {@link withoutBrokenInputs}. */
export function remarkOnMetric(metric: Metric, scope: NameScope): Remark | undefined {
  const { definition } = metric;
  const where = `Metric \`${metric.name}\``;
  const own = definition.kind === 'aggregate' ? remarkOnAggregate(definition, where, scope) : undefined;
  if (own !== undefined) return own;
  const home = definition.kind === 'aggregate' ? definition.dataset : undefined;
  const filters = [definition.filter, ...inputsOf(metric).map(({ filter }) => filter)];
  for (const filter of filters) {
    const remark = filter === undefined ? undefined : remarkOnCondition(filter, `The filter of ${where}`, scope, home);
    if (remark !== undefined) return remark;
  }
  return definition.kind === 'derived' ? remarkOnDerived(metric, definition, where) : undefined;
}

/** What is wrong with a condition over fields. */
export function remarkOnCondition(
  condition: string,
  where: string,
  scope: NameScope,
  home?: string | undefined,
): Remark | undefined {
  const read = readText(condition, ansiLexer, where);
  if ('code' in read) return read;
  return (
    remarkOnNames(read.expression, where, scope, home) ??
    (hasAggregate(read.expression)
      ? { code: 'aggregate-in-condition', message: `${where} aggregates rows: ${condition}.` }
      : undefined)
  );
}

function remarkOnAggregate(definition: Aggregate, where: string, scope: NameScope): Remark | undefined {
  const { expressions, dataset, time, nonAdditive } = definition;
  const twice = dialectTwice(expressions);
  if (twice !== undefined)
    return {
      code: 'duplicate-dialect',
      message: `${where} has two expressions for ${twice}.`,
      advice: 'Leave one of them.',
    };
  if (dataset !== undefined && !scope.datasets.has(dataset.toLowerCase()))
    return scope.isBroken(dataset) ? dependsOn('dataset', dataset) : unknownName(dataset, where, scope);
  const chosen = chooseExpression(expressions, scope.dialect);
  if (chosen === undefined)
    return {
      code: 'no-expression',
      message: `${where} has an expression for ${expressions.map((entry) => entry.dialect).join(', ') || 'no dialect'} only.`,
      advice: 'Add one for ANSI_SQL.',
    };
  const read = readText(chosen.text, chosen.lexer, where);
  if ('code' in read) return read;
  const names = [time, nonAdditive?.field, ...(nonAdditive?.within ?? [])].filter((name) => name !== undefined);
  return (
    remarkOnNames(read.expression, where, scope, dataset) ??
    remarkOnShape(read.expression, where, dataset, scope) ??
    firstOf(names, (name) => remarkOnName(name.split('.'), where, scope, dataset))
  );
}

/** A metric aggregates, and something says whose rows. */
function remarkOnShape(
  expression: Expression,
  where: string,
  dataset: string | undefined,
  { datasets }: NameScope,
): Remark | undefined {
  if (!hasAggregate(expression))
    return {
      code: 'no-aggregate',
      message: `${where} has no aggregate such as SUM or COUNT: one value for many rows is not defined.`,
      advice: 'Say how its rows are put together: SUM(…), AVG(…), COUNT(DISTINCT …).',
    };
  const without = dataset === undefined && datasets.size > 1 ? aggregateWithoutColumn(expression) : undefined;
  return without === undefined
    ? undefined
    : {
        code: 'no-dataset',
        message: `${where} calls ${without} without a column: nothing says which dataset's rows it counts.`,
        advice: 'Name its dataset, or count a column: COUNT(orders.order_id).',
      };
}

function aggregateWithoutColumn(expression: Expression): string | undefined {
  let found: string | undefined;
  walkExpression(expression, (part) => {
    if (part.kind !== 'call' || !part.isAggregate) return;
    if (columnsIn(part).length === 0) found ??= part.name;
  });
  return found;
}

function remarkOnDerived(
  metric: Metric,
  { expression: text, inputs }: { readonly expression: string; readonly inputs: readonly MetricInput[] },
  where: string,
): Remark | undefined {
  const read = readText(text, ansiLexer, where);
  if ('code' in read) return read;
  const aliases = inputs.map(({ alias, metric: input }) => alias ?? input);
  const known = new Set(aliases.map((alias) => alias.toLowerCase()));
  let remark: Remark | undefined;
  walkExpression(read.expression, (part) => {
    if (part.kind === 'call' && part.isAggregate)
      remark ??= {
        code: 'aggregate-in-derived',
        message: `${where} calls ${part.name}, but a derived metric computes with metrics, which are aggregated already.`,
      };
    else if (part.kind === 'column' && (part.qualifier.length > 0 || !known.has(part.name.toLowerCase())))
      remark ??= {
        code: 'unknown-input',
        message: `${where} names \`${[...part.qualifier, part.name].join('.')}\`, which is none of its inputs.`,
        advice: didYouMean(part.name, aliases) || `Its inputs are ${aliases.join(', ')}.`,
      };
  });
  const again = aliases.find(
    (alias, at) => aliases.findIndex((one) => one.toLowerCase() === alias.toLowerCase()) !== at,
  );
  return (
    remark ??
    (again === undefined
      ? undefined
      : {
          code: 'duplicate-name',
          message: `Two inputs of metric \`${metric.name}\` are called \`${again}\`.`,
          advice: 'Give one of them an alias.',
        })
  );
}

function remarkOnNames(
  expression: Expression,
  where: string,
  scope: NameScope,
  home: string | undefined,
): Remark | undefined {
  return firstOf(columnsIn(expression), ({ qualifier, name }) =>
    remarkOnName([...qualifier, name], where, scope, home),
  );
}

function remarkOnName(
  path: readonly string[],
  where: string,
  scope: NameScope,
  home: string | undefined,
): Remark | undefined {
  const name = path.at(-1) ?? '';
  const qualifier = path.slice(0, -1);
  const found = lookUpName({ name, qualifier }, scope.datasets, home);
  if (found.kind !== 'problem') return undefined;
  if (found.remark.code === 'depends-on-broken') return found.remark;
  const dataset = qualifier.at(-1);
  if (dataset !== undefined && !scope.datasets.has(dataset.toLowerCase()) && scope.isBroken(dataset))
    return dependsOn('dataset', dataset);
  return { ...found.remark, message: `${where} names \`${path.join('.')}\`. ${found.remark.message}` };
}

function unknownName(dataset: string, where: string, { datasets }: NameScope): Remark {
  const names = [...datasets.values()].map((bound) => bound.dataset.name);
  return {
    code: 'unknown-dataset',
    message: `${where} is of the dataset \`${dataset}\`, which is not there.`,
    advice: didYouMean(dataset, names) || undefined,
  };
}

function readText(text: string, lexer: LexerTraits, where: string): { readonly expression: Expression } | Remark {
  try {
    return { expression: parseExpression(text, lexer) };
  } catch (thrown) {
    if (!isAskemaError(thrown)) throw thrown;
    return { code: 'expression-invalid', message: `${where}: ${thrown.message}` };
  }
}

function hasAggregate(expression: Expression): boolean {
  let found = false;
  walkExpression(expression, (part) => {
    found ||= part.kind === 'call' && part.isAggregate;
  });
  return found;
}

function firstOf<T>(items: readonly T[], remarkOn: (item: T) => Remark | undefined): Remark | undefined {
  for (const item of items) {
    const remark = remarkOn(item);
    if (remark !== undefined) return remark;
  }
  return undefined;
}
