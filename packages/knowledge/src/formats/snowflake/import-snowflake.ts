import type { KnowledgeText, VerifiedQuery } from '../../model/knowledge.ts';
import type { SemanticModel } from '../../model/semantic-model.ts';
import type { Imported, Loss, TextFile } from '../conversion.ts';
import { withOwnIds } from '../entry-slug.ts';
import { readShape } from '../read-shape.ts';
import { type Path, readYaml } from '../read-yaml.ts';
import { type MetricPlace, readMetrics } from './read-metrics.ts';
import { readQuery, readTexts } from './read-queries.ts';
import { readFilters, readRelationship, readTable } from './read-tables.ts';
import { READ_KEYS, snowflakeFile } from './snowflake-file.ts';
import { SourceFile } from './source-file.ts';

/**
 * Semantic views and semantic models of Cortex Analyst, each file one. Keys that our model lacks are kept in the
 * extension `SNOWFLAKE` of their entry, so that the exporter writes them again, and are in `lost`: nothing here acts by
 * them. A metric whose name stands in two tables is called `table_metric`.
 *
 * @throws AskemaError `KNOWLEDGE_INVALID` for a file that is no semantic view, with the line.
 */
export function importSnowflake(files: readonly TextFile[]): Imported {
  const models: SemanticModel[] = [];
  const texts: KnowledgeText[] = [];
  const verifiedQueries: VerifiedQuery[] = [];
  const lost: Loss[] = [];
  const usedNames = new Set<string>();
  for (const { path, text } of files) {
    const yaml = readYaml(text, path);
    const source = new SourceFile(yaml, path, readShape(snowflakeFile, yaml, path));
    refuseDuplicates(source);
    models.push(readModel(source, usedNames));
    texts.push(...readTexts(source));
    verifiedQueries.push(...(source.content.verified_queries ?? []).map((query, at) => readQuery(source, query, at)));
    lost.push(...source.lost);
  }
  return {
    knowledge: { models, settings: {}, texts: withOwnIds(texts), verifiedQueries: withOwnIds(verifiedQueries) },
    lost,
  };
}

function readModel(source: SourceFile, usedNames: Set<string>): SemanticModel {
  const { content } = source;
  const places: MetricPlace[] = [];
  for (const [at, table] of content.tables.entries())
    for (const [index, metric] of (table.metrics ?? []).entries())
      places.push({ table: table.name, metric, path: ['tables', at, 'metrics', index] });
  for (const [index, metric] of (content.metrics ?? []).entries())
    places.push({ table: undefined, metric, path: ['metrics', index] });
  const metrics = readMetrics(source, places, usedNames);
  return {
    name: content.name,
    description: content.description ?? undefined,
    datasets: content.tables.map((table, at) => readTable(source, table, at)),
    relationships: (content.relationships ?? []).flatMap((one, at) => readRelationship(source, one, at)),
    metrics,
    filters: content.tables.flatMap((table, at) => readFilters(source, table, at)),
    extensions: source.keep(content, READ_KEYS.file, [], `model ${content.name}`),
    standing: source.standing(['name']),
  };
}

/** Names that stand twice in one list: the second would never be found. */
function refuseDuplicates(source: SourceFile): void {
  const { tables, relationships, verified_queries } = source.content;
  const refuse = (items: readonly { name: string }[] | null | undefined, path: Path): void => {
    const seen = new Set<string>();
    for (const [at, { name }] of (items ?? []).entries()) {
      if (seen.has(name.toLowerCase()))
        throw source.invalid([...path, at, 'name'], `the name \`${name}\` stands twice`, 'Rename or remove one.');
      seen.add(name.toLowerCase());
    }
  };
  refuse(tables, ['tables']);
  refuse(relationships, ['relationships']);
  refuse(verified_queries, ['verified_queries']);
  for (const [at, table] of tables.entries())
    for (const list of ['dimensions', 'time_dimensions', 'facts', 'measures', 'metrics', 'filters'] as const)
      refuse(table[list], ['tables', at, list]);
}
