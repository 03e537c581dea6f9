import type { Loss, TextFile } from '../../conversion.ts';
import { isObject, type PlainObject } from '../../plain-object.ts';
import { type Path, readYaml } from '../../read-yaml.ts';
import type { DbtMetric, DbtModel, DbtProject, DbtTimeSpine } from './dbt-project.ts';
import { manifestConfigurationSchema } from './dbt-schemas.ts';
import { timeGrain } from './read-measure.ts';
import { readMetric } from './read-metric.ts';
import { type ModelEntry, readModel } from './read-model.ts';
import { type DbtTarget, readSemanticModel, sourceOfNode } from './read-semantic-model.ts';
import { lose, nameOf, placeOf, type Reading } from './reading.ts';

/** Reads the YAML and JSON of a project. The three ways to write it are told apart by their keys, and may be mixed. */
export function readProject(files: readonly TextFile[], target: DbtTarget): DbtProject & { readonly lost: Loss[] } {
  const lost: Loss[] = [];
  const entries: ModelEntry[] = [];
  const models: DbtModel[] = [];
  const metrics: DbtMetric[] = [];
  const timeSpines: DbtTimeSpine[] = [];
  let name: string | undefined;
  for (const { path: file, text } of files) {
    if (!/\.(ya?ml|json)$/i.test(file)) continue;
    const opened = open(file, text, lost);
    if (opened === undefined) continue;
    const { reading, value } = opened;
    const each = <T>(key: string, read: (one: unknown, path: Path) => T | undefined): T[] => {
      const list: unknown = value[key];
      return Array.isArray(list) ? list.flatMap((one: unknown, at) => read(one, [key, at]) ?? []) : [];
    };
    if (/(^|\/)dbt_project\.ya?ml$/i.test(file) && typeof value.name === 'string') name = value.name;
    entries.push(...each('models', (one, path) => readModel(reading, one, path, target)));
    models.push(...each('semantic_models', (one, path) => readSemanticModel(reading, one, path, target)));
    metrics.push(...each('metrics', (one, path) => readMetric(reading, one, path, undefined)));
    each('saved_queries', (one, path) =>
      lose(
        reading,
        `saved query ${nameOf(one)}`,
        path,
        'it has no question to be found by: ask for its metrics instead',
      ),
    );
    timeSpines.push(...spinesOfManifest(reading, value.project_configuration, target));
  }
  models.push(...entries.flatMap((entry) => entry.semanticModel ?? []));
  metrics.push(...entries.flatMap((entry) => entry.metrics));
  timeSpines.push(...entries.flatMap((entry) => entry.timeSpine ?? []));
  return {
    name,
    models: distinct('semantic model', models, lost).map((model) => ({
      ...model,
      columns: entries.find((entry) => entry.source === model.source)?.columns ?? [],
    })),
    metrics: distinct('metric', metrics, lost),
    timeSpines,
    lost,
  };
}

function open(file: string, text: string, lost: Loss[]): { reading: Reading; value: PlainObject } | undefined {
  try {
    const yaml = readYaml(text, file);
    if (!isObject(yaml.value)) return undefined;
    return { reading: { file, lost, lineOf: yaml.lineOf }, value: yaml.value };
  } catch (thrown) {
    // Another file of the project may still say all that is asked for.
    lost.push({ what: `file ${file}`, place: { file }, reason: (thrown as Error).message.replace(/\.$/, '') });
    return undefined;
  }
}

function spinesOfManifest(reading: Reading, value: unknown, target: DbtTarget): DbtTimeSpine[] {
  const parsed = manifestConfigurationSchema.safeParse(value);
  if (!parsed.success) return [];
  const place = placeOf(reading, ['project_configuration']);
  const spines = [
    ...(parsed.data.time_spines ?? []).map(({ node_relation: node, primary_column: column }) => ({
      source: sourceOfNode(node, target),
      column: column.name,
      grain: column.time_granularity,
    })),
    ...(parsed.data.time_spine_table_configurations ?? []).map((one) => ({
      source: one.location,
      column: one.column_name,
      grain: one.grain,
    })),
  ];
  return spines.flatMap((spine) => {
    const grain = timeGrain(spine.grain);
    if (grain !== undefined) return [{ ...spine, grain, place }];
    lose(reading, `time spine ${spine.source}`, ['project_configuration'], `\`${spine.grain}\` is no unit here`);
    return [];
  });
}

function distinct<T extends DbtModel | DbtMetric>(kind: string, list: readonly T[], lost: Loss[]): T[] {
  const taken = new Map<string, T>();
  for (const one of list) {
    const first = taken.get(one.name.toLowerCase());
    if (first === undefined) taken.set(one.name.toLowerCase(), one);
    else {
      const { file, line } = first.place;
      lost.push({ what: `${kind} ${one.name}`, place: one.place, reason: `${file}:${line} defines it as well` });
    }
  }
  return [...taken.values()];
}
