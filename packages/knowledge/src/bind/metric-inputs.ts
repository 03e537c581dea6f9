import { didYouMean } from '@askema/core';
import type { Metric } from '../model/semantic-model.ts';
import { inputsOf } from './bind-metrics.ts';
import { dependsOn } from './look-up-name.ts';
import type { Remark } from './problem-list.ts';

/**
 * What is wrong with the inputs of metrics, by name in lower case: one that is not there, one that was left out, a
 * metric that is made of itself.
 *
 * @param metrics those that hold by themselves, by name in lower case
 * @param isBroken whether a metric of that name was left out
 */
export function remarksOnInputs(
  metrics: ReadonlyMap<string, Metric>,
  isBroken: (name: string) => boolean,
): ReadonlyMap<string, Remark> {
  const remarks = new Map<string, Remark>();
  const done = new Set<string>();
  const names = [...metrics.values()].map(({ name }) => name);

  const remarkOnInput = (input: string, path: readonly string[]): Remark | undefined => {
    const key = input.toLowerCase();
    const start = path.indexOf(key);
    if (start >= 0) {
      const circle = [...path.slice(start), key].map((name) => `\`${metrics.get(name)?.name ?? name}\``);
      return {
        code: 'metric-cycle',
        message: `It is made of itself: ${circle.join(' → ')}.`,
        advice: 'Define one of them by an expression over fields.',
      };
    }
    if (metrics.has(key)) {
      visit(key, path);
      const inner = remarks.get(key);
      if (inner === undefined) return undefined;
      return inner.code === 'metric-cycle' ? inner : dependsOn('metric', input);
    }
    if (isBroken(input)) return dependsOn('metric', input);
    return {
      code: 'unknown-metric',
      message: `It is made of the metric \`${input}\`, which is not there.`,
      advice: didYouMean(input, names) || undefined,
    };
  };

  /** Depth first; how deep metrics nest is bounded, so that a hostile file does not end the process. */
  const visit = (key: string, path: readonly string[]): void => {
    const metric = metrics.get(key);
    if (metric === undefined || done.has(key)) return;
    const inner = [...path, key];
    let remark: Remark | undefined;
    if (inner.length > MAX_DEPTH)
      remark = { code: 'metric-depth', message: `It is made of metrics that nest deeper than ${MAX_DEPTH}.` };
    else
      for (const input of inputsOf(metric)) {
        remark = remarkOnInput(input.metric, inner);
        if (remark !== undefined) break;
      }
    done.add(key);
    if (remark !== undefined) remarks.set(key, remark);
  };

  for (const key of metrics.keys()) visit(key, []);
  return remarks;
}

/** A metric of metrics of metrics: deeper ones are a mistake. */
const MAX_DEPTH = 100;
