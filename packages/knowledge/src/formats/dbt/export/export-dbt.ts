import type { Knowledge } from '../../../model/knowledge.ts';
import type { SemanticModel } from '../../../model/semantic-model.ts';
import type { Exported, Loss, TextFile } from '../../conversion.ts';
import { slugOf, withOwnIds } from '../../entry-slug.ts';
import { yamlText } from '../../write-yaml.ts';
import { asSentence } from '../as-sentence.ts';
import { entityGraph, isName } from './entity-graph.ts';
import { writeMetrics } from './write-metrics.ts';
import { loseParts, type WrittenModel, writeSemanticModel } from './write-semantic-model.ts';

/**
 * Knowledge as files for a dbt project, in the legacy specification: dbt Core reads it from 1.6 to 1.12, the latest one
 * only in 1.12. For each model: `semantic_models.yml`, `metrics.yml`, and `columns.yml` with what `models:` says, values
 * as dbt 1.10 and later take them; leave out what your project says already. Names are written in lower case. `lost`
 * has all that dbt cannot say.
 */
export function exportDbt(knowledge: Knowledge): Exported {
  const lost: Loss[] = [];
  const folders = withOwnIds(knowledge.models.map(({ name }) => ({ id: slugOf(name, 'model') })));
  const files = knowledge.models.flatMap((model, at) => writeModel(model, folders[at]?.id ?? 'model', lost));
  loseParts('settings', { file: 'knowledge.yml' }, lost, { ...knowledge.settings });
  for (const { id, standing } of knowledge.verifiedQueries)
    lost.push({ what: `query ${id}`, place: standing.place, reason: 'dbt has no verified queries' });
  for (const { kind, id, standing } of knowledge.texts)
    lost.push({ what: `${kind} ${id}`, place: standing.place, reason: 'dbt has no place for prose' });
  return { files, lost: lost.map(asSentence) };
}

function writeModel(model: SemanticModel, folder: string, lost: Loss[]): TextFile[] {
  const { place } = model.standing;
  loseParts(`model ${model.name}`, place, lost, { description: model.description }, model);
  for (const filter of model.filters)
    lost.push({ what: `filter ${filter.name}`, place: filter.standing.place, reason: 'dbt has no filters with names' });
  const graph = entityGraph(model, lost);
  const written = new Map<string, WrittenModel>();
  for (const dataset of model.datasets) {
    if (!isName(dataset.name)) {
      const reason = 'dbt takes names of letters, digits and underscores';
      lost.push({ what: `dataset ${dataset.name}`, place, reason });
      continue;
    }
    const one = writeSemanticModel(dataset, graph, lost);
    if (one !== undefined) written.set(dataset.name, one);
  }
  const { metrics, measures } = writeMetrics(model, graph, ({ name }) => written.has(name), lost);
  const models = [...written].map(([name, { semanticModel }]) => {
    const own = measures.get(name);
    return own === undefined ? semanticModel : { ...semanticModel, measures: own };
  });
  const columns = [...written.values()].flatMap((one) => one.columns ?? []);
  const spine = model.timeSpine && {
    name: model.timeSpine.source.split('.').at(-1),
    time_spine: { standard_granularity_column: model.timeSpine.column },
    columns: [{ name: model.timeSpine.column, granularity: model.timeSpine.grain }],
  };
  const file = (name: string, content: Record<string, readonly unknown[]>): TextFile[] =>
    Object.values(content).every((list) => list.length === 0)
      ? []
      : [{ path: `${folder}/${name}.yml`, text: yamlText(content) }];
  return [
    ...file('semantic_models', { semantic_models: models }),
    ...file('metrics', { metrics }),
    ...file('columns', { models: [...columns, ...(spine === undefined ? [] : [spine])] }),
  ];
}
