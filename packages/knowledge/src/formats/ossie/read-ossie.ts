import { AskemaError, didYouMean } from '@askema/core';
import { entryId, type KnowledgeProblem } from '../../model/knowledge.ts';
import { sameName } from '../../model/same-name.ts';
import type { Metric, NamedFilter, SemanticModel } from '../../model/semantic-model.ts';
import type { KnowledgeState } from '../../model/standing.ts';
import { isObject, type PlainObject } from '../plain-object.ts';
import { readYaml, type YamlFile } from '../read-yaml.ts';
import type { OurExtension } from './our-extension.ts';
import { readDefinition } from './read-definition.ts';
import { type Extensions, readExtensions } from './read-extensions.ts';
import {
  described,
  nameOf,
  noteDuplicates,
  type Origin,
  readDataset,
  readExpressions,
  readRelationship,
  standingOf,
  typed,
} from './read-parts.ts';
import { Reading, type Spot } from './reading.ts';
import { KEYS, RELEASES } from './releases.ts';

/** What is read of a file. */
export interface ReadOssieOptions {
  /** Of a file with several models: which one. */
  readonly model?: string | undefined;
  /** Of everything that stands in the file. Default: `accepted`. */
  readonly state?: KnowledgeState | undefined;
}

/** What a file says, and what is wrong with it. */
export interface OssieFile {
  readonly models: readonly SemanticModel[];
  /** Each deviation from the release that the file names. Entries with an error stay in the model where they are readable. */
  readonly problems: readonly KnowledgeProblem[];
}

/**
 * Reads a model of Apache Ossie, YAML or JSON: 0.1.0, 0.1.1 and 0.2.0.dev0, the last with the model at the root or in
 * the list `semantic_model`. Files that deviate are read as far as their meaning is clear.
 *
 * @param source Who says it: see `Standing`. Default: `file`.
 * @throws AskemaError `KNOWLEDGE_INVALID` with file and line for what is no core model, for a version that is not known,
 *   and for several models where none is named.
 */
export function readOssie(text: string, file: string, source = 'file', options: ReadOssieOptions = {}): OssieFile {
  const yaml = readYaml(text, file);
  const root = yaml.value;
  if (!isObject(root)) throw invalid(file, 1, 'is no Ossie model: it holds no object');
  const isWrapped = 'semantic_model' in root;
  if (!isWrapped && !('datasets' in root && 'name' in root)) throw noModel(file, root, yaml);
  const version = versionOf(file, root, yaml);
  const release = RELEASES.get(version);
  if (release === undefined)
    throw invalid(
      file,
      yaml.lineOf(['version']),
      `names version ${version}, which is not known. Read are ${[...RELEASES.keys()].join(', ')}`,
    );
  const reading = new Reading(file, yaml, release);
  const document: Spot = { value: root, path: [], what: 'the document', entry: undefined };
  if (version === '0.2.0')
    reading.warn(
      'unreleased-version',
      reading.below(document, 'version'),
      'There is no version 0.2.0. It is read as 0.2.0.dev0.',
    );
  const origin: Origin = { source, state: options.state ?? 'accepted' };
  if (!isWrapped) {
    const model = readModel(reading, document, origin, ['version', ...KEYS.model], file);
    return { models: [model], problems: reading.problems };
  }
  const spot = chosen(reading, document, options.model);
  const model = readModel(reading, spot, origin, KEYS.model, file);
  const extensions = [...model.extensions, ...readRoot(reading, document)];
  return { models: [{ ...model, extensions }], problems: reading.problems };
}

function versionOf(file: string, root: PlainObject, yaml: YamlFile): string {
  const { version } = root;
  if (typeof version === 'string') return version;
  throw invalid(
    file,
    yaml.lineOf(['version']),
    `${version === undefined ? 'names no version' : 'has a version that is no text'}. Write \`version: "0.2.0.dev0"\``,
  );
}

function noModel(file: string, root: PlainObject, yaml: YamlFile): AskemaError {
  if ('ontology' in root)
    return invalid(
      file,
      yaml.lineOf(['ontology']),
      'is an ontology document of Ossie. Only core models are read: those with `datasets`',
    );
  const keys = Object.keys(root);
  const near = keys.map((key) => didYouMean(key, ['semantic_model', 'datasets'])).find((hint) => hint !== '') ?? '';
  return invalid(
    file,
    1,
    `is no Ossie model: it has neither \`semantic_model\` nor \`name\` and \`datasets\`, but ${keys.slice(0, 5).join(', ') || 'nothing'}. ${near}`.trimEnd(),
  );
}

/** The one model of a list. */
function chosen(reading: Reading, document: Spot, wanted: string | undefined): Spot {
  const spots = reading.list(reading.below(document, 'semantic_model'));
  const names = spots.map(({ value }) => (isObject(value) ? String(value.name) : '?'));
  if (wanted !== undefined) {
    const found = spots[names.findIndex((name) => sameName(name, wanted))];
    if (found !== undefined) return found;
    const hint = didYouMean(wanted, names);
    throw invalid(reading.file, 1, `has no model ${wanted}, but ${names.join(', ') || 'none'}. ${hint}`.trimEnd());
  }
  const [only, second] = spots;
  if (only === undefined) throw invalid(reading.file, 1, 'has no model: `semantic_model` is an empty list');
  if (second !== undefined)
    throw invalid(
      reading.file,
      reading.place(second).line ?? 1,
      `has ${spots.length} models: ${names.join(', ')}. Say which one by \`model\`, or put each into a file of its own`,
    );
  return only;
}

/** What stands at the root beside the list of models. */
function readRoot(reading: Reading, document: Spot): Extensions<'model'>['foreign'] {
  const { version } = reading.release;
  reading.object(document, [
    'version',
    'semantic_model',
    'custom_extensions',
    // Lists of what the release knows, which say nothing about the model.
    ...(reading.release.hasDatatype ? [] : ['dialects', 'vendors']),
  ]);
  const spot = reading.below(document, 'custom_extensions');
  if (spot.value === undefined) return [];
  reading.warn(
    'root-extensions',
    spot,
    `\`custom_extensions\` stands at the root, where Ossie ${version} allows none. It is read as that of the model.`,
    'Move it into the model.',
  );
  return readExtensions(reading, document, 'model').foreign;
}

function readModel(reading: Reading, at: Spot, given: Origin, keys: readonly string[], file: string): SemanticModel {
  const name = nameOf(reading, at, 'model') ?? file.replace(/^.*\/|\.(ossie\.)?(ya?ml|json)$/g, '');
  const spot = { ...at, what: `model ${name}`, entry: entryId('model', name) };
  reading.object(spot, keys);
  const { ours, foreign } = readExtensions(reading, spot, 'model');
  const origin = ours.source === undefined ? given : { ...given, source: ours.source };
  const list = (key: 'datasets' | 'relationships' | 'metrics'): Spot => reading.below(spot, key);
  if (list('datasets').value === undefined)
    reading.warn('missing-part', spot, `${spot.what} has no \`datasets\`, which Ossie asks for.`);
  noteDuplicates(reading, list('datasets'), 'dataset');
  noteDuplicates(reading, list('relationships'), 'relationship');
  noteDuplicates(reading, list('metrics'), 'metric');
  return {
    name,
    ...described(reading, spot),
    datasets: reading.list(list('datasets')).flatMap((item) => readDataset(reading, item, origin) ?? []),
    relationships: reading.list(list('relationships')).flatMap((item) => readRelationship(reading, item, origin) ?? []),
    metrics: reading.list(list('metrics')).flatMap((item) => readMetric(reading, item, origin) ?? []),
    filters: filtersOf(reading, spot, ours, origin),
    timeSpine: ours.time_spine,
    extensions: foreign,
    standing: standingOf(reading, spot, origin, ours.owner),
  };
}

function filtersOf(reading: Reading, model: Spot, ours: OurExtension<'model'>, origin: Origin): readonly NamedFilter[] {
  return (ours.filters ?? []).map(({ name, dataset, condition, description, synonyms, owner }) => ({
    name,
    dataset,
    condition,
    description,
    synonyms: synonyms ?? [],
    standing: standingOf(reading, reading.below(model, 'custom_extensions'), origin, owner),
  }));
}

function readMetric(reading: Reading, at: Spot, origin: Origin): Metric | undefined {
  const name = nameOf(reading, at, 'metric');
  if (name === undefined) return undefined;
  const spot = { ...at, what: `metric ${name}`, entry: entryId('metric', name) };
  reading.object(spot, KEYS.metric);
  const { ours, foreign } = readExtensions(reading, spot, 'metric');
  const expressions = readExpressions(reading, spot, ours);
  const definition = readDefinition(reading, spot, ours, expressions);
  if (definition === undefined) return undefined;
  if (definition.kind === 'aggregate' && expressions.length === 0) {
    reading.error('missing-part', spot, `${spot.what} has no \`expression\`, and is left out.`);
    return undefined;
  }
  return {
    name,
    label: ours.label,
    ...described(reading, spot),
    ...typed(reading, reading.below(spot, 'datatype'), ours.datatype),
    definition,
    unit: ours.unit,
    isHidden: ours.hidden,
    extensions: foreign,
    standing: standingOf(reading, spot, origin, ours.owner),
  };
}

function invalid(file: string, line: number, reason: string): AskemaError {
  return new AskemaError('KNOWLEDGE_INVALID', `${file}:${line} ${reason}${/[.?]$/.test(reason) ? '' : '.'}`, {
    details: { file, line },
  });
}
