import type { Knowledge } from '../../model/knowledge.ts';
import { sameName } from '../../model/same-name.ts';
import type { SemanticModel } from '../../model/semantic-model.ts';
import type { Exported, Loss, TextFile } from '../conversion.ts';
import { slugOf } from '../entry-slug.ts';
import { compact } from '../plain-object.ts';
import { yamlText } from '../write-yaml.ts';
import { type Lose, loseParts } from './losses.ts';
import { writeMetrics } from './write-metrics.ts';
import { writeInstructions, writeQueries } from './write-queries.ts';
import { keptKeys, tablePartsOf, writeRelationship, writeTable } from './write-tables.ts';

/**
 * Semantic views as YAML, a file for each model (`name.yaml`). What a view cannot say is in `lost`: a part of an entry,
 * or the whole of it where the rest would mean something else. Rules go into the first file, verified queries into the
 * first whose tables they name, or into the last.
 */
export function exportSnowflake(knowledge: Knowledge): Exported {
  const lost: Loss[] = [];
  const files: TextFile[] = [];
  const taken = new Set<string>();
  for (const [at, model] of knowledge.models.entries()) {
    const lose: Lose = (entry, what, reason) => lost.push({ what, place: entry.standing.place, reason });
    const view = writeModel(model, lose);
    const instructions = at === 0 ? writeInstructions(knowledge.texts, lose) : undefined;
    const queries = writeQueries(knowledge, model, at, taken, lose);
    const content = { ...view, ...instructions, ...compact({ verified_queries: queries }) };
    files.push({ path: `${slugOf(model.name, 'model')}.yaml`, text: yamlText(content) });
  }
  for (const [key, value] of Object.entries(knowledge.settings))
    if (value !== undefined)
      lost.push({ what: `settings: ${key}`, place: { file: 'knowledge.yml' }, reason: 'A view has no settings.' });
  return { files, lost };
}

function writeModel(model: SemanticModel, lose: Lose): Record<string, unknown> {
  const datasets = model.datasets.filter((dataset) => {
    if (tablePartsOf(dataset) !== undefined) return true;
    lose(dataset, `dataset ${dataset.name}`, 'Its source is a query; a view stands on tables. Create a view for it.');
    return false;
  });
  const has = (name: string): boolean => datasets.some((dataset) => sameName(dataset.name, name));
  const relationships = model.relationships.filter((one) => {
    if (has(one.from) && has(one.to)) return true;
    lose(one, `relationship ${one.name}`, 'One of its tables is left out.');
    return false;
  });
  const filters = model.filters.filter((filter) => {
    if (has(filter.dataset)) return true;
    lose(filter, `filter ${filter.name}`, 'Its table is left out.');
    return false;
  });
  loseParts(model, model, `model ${model.name}`, lose, {
    instructions: model.ai?.instructions,
    synonyms: model.ai?.synonyms,
    'time spine': model.timeSpine,
  });
  const metrics = writeMetrics({ ...model, datasets }, lose);
  const tables = datasets.map((dataset) => {
    const ownFilters = filters.filter((filter) => sameName(filter.dataset, dataset.name));
    const ownMetrics = metrics.filter(({ table }) => sameName(table, dataset.name));
    return writeTable(dataset, ownFilters, ownMetrics, lose);
  });
  return {
    ...compact({ name: model.name, description: model.description }),
    tables,
    ...compact({
      relationships: relationships.map((one) => writeRelationship(one, lose)),
      metrics: metrics.flatMap(({ table, written }) => (table === undefined ? [written] : [])),
    }),
    ...keptKeys(model),
  };
}
