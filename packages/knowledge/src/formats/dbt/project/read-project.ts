import type { Loss, TextFile } from '../../conversion.ts';
import { readYaml } from '../../read-yaml.ts';
import type { DbtMetric, DbtModel, DbtProject, DbtTimeSpine } from './dbt-project.ts';
import { manifestConfigurationSchema } from './dbt-schemas.ts';
import { timeGrain } from './read-measure.ts';
import { readMetric } from './read-metric.ts';
import { type ModelEntry, readModel } from './read-model.ts';
import { type DbtTarget, qualify, readSemanticModel } from './read-semantic-model.ts';
import { lose, type Path, placeOf, type Reading } from './reading.ts';

type Section = Readonly<Record<string, unknown>>;

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
    const items = (key: string): [unknown, Path][] => {
      const list = value[key];
      return Array.isArray(list) ? list.map((one, at) => [one, [key, at]]) : [];
    };
    if (/(^|\/)dbt_project\.ya?ml$/i.test(file) && typeof value.name === 'string') name = value.name;
    for (const [one, path] of items('models')) push(entries, readModel(reading, one, path, target));
    for (const [one, path] of items('semantic_models')) push(models, readSemanticModel(reading, one, path, target));
    for (const [one, path] of items('metrics')) push(metrics, readMetric(reading, one, path, undefined));
    for (const [one, path] of items('saved_queries'))
      lose(
        reading,
        `saved query ${nameOf(one)}`,
        path,
        'it has no question to be found by: ask for its metrics instead',
      );
    timeSpines.push(...spinesOfManifest(reading, value.project_configuration, target));
  }
  for (const entry of entries) {
    push(models, entry.semanticModel);
    metrics.push(...entry.metrics);
    push(timeSpines, entry.timeSpine);
  }
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

function open(file: string, text: string, lost: Loss[]): { reading: Reading; value: Section } | undefined {
  try {
    const yaml = readYaml(text, file);
    if (typeof yaml.value !== 'object' || yaml.value === null) return undefined;
    return { reading: { file, lost, lineOf: yaml.lineOf }, value: yaml.value as Section };
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
      source: qualify(
        { database: target.database ?? node.database, schema: target.schema ?? node.schema_name },
        node.alias,
      ),
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

function nameOf(value: unknown): string {
  return String((value as { name?: unknown } | null)?.name);
}

function push<T>(list: T[], value: T | undefined): void {
  if (value !== undefined) list.push(value);
}
