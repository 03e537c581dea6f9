import { inputsOf } from '../bind/bind-metrics.ts';
import { chooseExpression } from '../bind/choose-expression.ts';
import { lookUpName } from '../bind/look-up-name.ts';
import { tryParseExpression } from '../expression/parse-expression.ts';
import { columnsIn } from '../expression/walk-expression.ts';
import type { CheckHost } from './check-host.ts';

/** Notes what nothing can lead to: it costs attention, and often a relationship is missing. */
export function checkUnused({ bound, report }: Pick<CheckHost, 'bound' | 'report'>): void {
  const joined = new Set(bound.relationships.flatMap(({ from, to }) => [from, to]));
  const measured = new Set<string>();
  const inputs = new Set<string>();
  for (const metric of bound.metrics.values()) {
    for (const input of inputsOf(metric)) inputs.add(input.metric.toLowerCase());
    const { definition } = metric;
    if (definition.kind !== 'aggregate') continue;
    if (definition.dataset !== undefined) measured.add(definition.dataset.toLowerCase());
    const chosen = chooseExpression(definition.expressions, bound.dialect);
    const expression = chosen && tryParseExpression(chosen.text, chosen.lexer);
    for (const column of expression === undefined ? [] : columnsIn(expression)) {
      const found = lookUpName(column, bound.datasets, definition.dataset);
      if (found.kind !== 'problem') measured.add(found.dataset.dataset.name.toLowerCase());
    }
  }
  for (const [key, dataset] of bound.datasets) {
    if (bound.datasets.size < 2 || bound.metrics.size === 0 || joined.has(dataset) || measured.has(key)) continue;
    const { name, standing } = dataset.dataset;
    report(
      { kind: 'dataset', name, standing },
      {
        severity: 'note',
        code: 'unreachable-dataset',
        message: `No metric is of the dataset \`${name}\`, and no relationship leads to it.`,
        advice: 'Add the relationship that is missing, or leave the dataset out.',
      },
    );
  }
  for (const [key, { name, standing, isHidden }] of bound.metrics)
    if (isHidden === true && !inputs.has(key))
      report(
        { kind: 'metric', name, standing },
        {
          severity: 'note',
          code: 'unused-metric',
          message: `The metric \`${name}\` is hidden, and no other is made of it.`,
          advice: 'Show it, or leave it out.',
        },
      );
}
