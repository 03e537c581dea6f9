import type { Catalog, Dialect } from '@askema/core';
import { bindKnowledge } from '../bind/bind-knowledge.ts';
import { compileMetrics } from '../compile/compile-metrics.ts';
import type { Knowledge } from '../model/knowledge.ts';
import { sameName } from '../model/same-name.ts';
import type { SemanticModel } from '../model/semantic-model.ts';

/** The names of metrics of `model` that cannot be compiled, such as sums of texts. Runs nothing. */
export function refusedMetrics(
  model: SemanticModel,
  knowledge: Knowledge | undefined,
  options: { readonly catalog: Catalog; readonly dialect: Dialect },
): ReadonlySet<string> {
  const isNew = <Part extends { readonly name: string }>(list: readonly Part[], own: readonly Part[]): Part[] =>
    list.filter(({ name }) => !own.some((one) => sameName(one.name, name)));
  const others = (knowledge?.models ?? []).map((one) => ({
    ...one,
    datasets: isNew(one.datasets, model.datasets),
    relationships: isNew(one.relationships, model.relationships),
    metrics: isNew(one.metrics, model.metrics),
    filters: isNew(one.filters, model.filters),
  }));
  const whole: Knowledge = {
    schemaVersion: 1,
    settings: {},
    texts: [],
    verifiedQueries: [],
    problems: [],
    models: [...others, model],
  };
  const bound = bindKnowledge(whole, options);
  const refused = model.metrics.filter(({ name }) => {
    try {
      compileMetrics({ metrics: [name] }, bound);
      return false;
    } catch {
      return true;
    }
  });
  return new Set(refused.map(({ name }) => name));
}
