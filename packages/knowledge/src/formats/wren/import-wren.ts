import type { KnowledgeSettings } from '../../model/knowledge.ts';
import type { Dataset, Metric, SemanticModel } from '../../model/semantic-model.ts';
import type { Imported, TextFile } from '../conversion.ts';
import { withOwnIds } from '../entry-slug.ts';
import { readCube } from './read-cubes.ts';
import { readJoin } from './read-joins.ts';
import { readModel } from './read-models.ts';
import { readProse } from './read-prose.ts';
import { Losses, readParts, standingOf, type WrenParts } from './wren-parts.ts';

/** Our dialects by what WrenAI calls a data source. */
const DIALECTS: Readonly<Record<string, string>> = {
  postgres: 'postgres',
  mysql: 'mysql',
  duckdb: 'duckdb',
  local_file: 'duckdb',
  bigquery: 'bigquery',
  snowflake: 'snowflake',
};

/**
 * A project of WrenAI: `wren_project.yml` with its folders, or one `mdl.json`; with its `knowledge/`. Models become
 * datasets, measures of cubes become metrics, rules stay prose. Views are lost, because they are queries over models
 * and a dataset is one over tables; so are rules of access.
 *
 * @throws AskemaError `KNOWLEDGE_INVALID` for files that are none of a project, with the line.
 */
export function importWren(files: readonly TextFile[]): Imported {
  const losses = new Losses();
  const parts = readParts(files, losses);
  const { texts, verifiedQueries } = readProse(parts.prose, losses);
  const model = readProject(parts, losses);
  return {
    knowledge: {
      models: [model],
      settings: readSettings(parts, losses),
      texts: withOwnIds(texts),
      verifiedQueries: withOwnIds(verifiedQueries),
    },
    lost: losses.lost,
  };
}

function readProject(parts: WrenParts, losses: Losses): SemanticModel {
  const datasets = new Map<string, Dataset>();
  for (const part of parts.models) {
    const key = part.content.name.toLowerCase();
    if (datasets.has(key)) {
      losses.lose(part.origin, ['name'], `dataset ${part.content.name}`, 'Another model has this name.');
      continue;
    }
    const dataset = readModel(part, losses);
    if (dataset !== undefined) datasets.set(key, dataset);
  }
  const models = new Map(
    parts.models
      .map(({ content }) => [content.name.toLowerCase(), content] as const)
      .filter(([name]) => datasets.has(name))
      // The first of two of one name is read.
      .reverse(),
  );
  const relationships = parts.relationships.flatMap((part) => readJoin(part, models, losses) ?? []);
  const metrics: Metric[] = [];
  const usedNames = new Set<string>();
  for (const part of parts.cubes) {
    const cube = readCube(part, datasets, usedNames, losses);
    const dataset = cube === undefined ? undefined : datasets.get(cube.dataset.toLowerCase());
    if (cube === undefined || dataset === undefined) continue;
    metrics.push(...cube.metrics);
    datasets.set(dataset.name.toLowerCase(), { ...dataset, fields: [...dataset.fields, ...cube.fields] });
  }
  for (const { content, origin } of parts.views)
    losses.lose(
      origin,
      ['name'],
      `view ${content.name}`,
      'It is a query over models. Create it in the database, or keep it as a verified query with its question.',
    );
  return {
    name: parts.name ?? 'wren',
    description: parts.description,
    datasets: [...datasets.values()],
    relationships,
    metrics,
    filters: [],
    extensions: [],
    standing: standingOf(parts.origin),
  };
}

function readSettings({ dataSource, origin }: WrenParts, losses: Losses): KnowledgeSettings {
  if (dataSource === undefined) return {};
  const dialect = DIALECTS[dataSource];
  if (dialect === undefined)
    losses.lose(origin, ['data_source'], `settings: data source ${dataSource}`, 'There is no dialect for it here.');
  return dialect === undefined ? {} : { dialect };
}
