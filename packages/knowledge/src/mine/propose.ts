import { oneLine, type RelationId, shortened } from '@askema/core';
import { slugOf } from '../formats/entry-slug.ts';
import { type EntryKind, entryId, type Knowledge } from '../model/knowledge.ts';
import {
  ansi,
  type Dataset,
  type Metric,
  type NamedFilter,
  type Relationship,
  type SemanticModel,
} from '../model/semantic-model.ts';
import { isProposal, type Standing } from '../model/standing.ts';
import { phraseKey, wordsOfName } from '../words/words-of.ts';

import type { ChosenJoin } from './choose-joins.ts';
import type { ChosenMetric } from './choose-metrics.ts';
import type { DatasetsOf } from './defined-names.ts';
import { type Evidence, isEnough, together } from './evidence.ts';
import type { GatheredCondition, GatheredFacts } from './gather-facts.ts';
import { joinKey, type KnownDefinitions, metricKey } from './known-definitions.ts';
import type { MineLimits } from './logged-statement.ts';
import type { MinedProposal } from './mined-knowledge.ts';

const STANDING: Standing = { state: 'proposed', source: 'log', place: { file: 'log' } };

/** Longer examples are cut, in UTF-16 code units. */
const MAX_EXAMPLE = 1_000;

export interface Found {
  readonly facts: GatheredFacts;
  readonly joins: readonly ChosenJoin[];
  readonly always: readonly GatheredCondition[];
  readonly named: readonly GatheredCondition[];
  readonly metrics: readonly ChosenMetric[];
}

export interface Proposed {
  readonly model: SemanticModel;
  readonly proposals: readonly MinedProposal[];
  readonly known: number;
}

/** Writes what was found and is not known as a model of proposals, the most used first. */
export function propose(
  found: Found,
  names: DatasetsOf,
  definitions: KnownDefinitions,
  knowledge: Knowledge | undefined,
  limits: MineLimits,
): Proposed {
  const proposer = new Proposer(found, names, definitions, limits);
  const { parts, proposals, known } = proposer.all();
  const name = modelName(names.draft.name, knowledge);
  return {
    model: { name, ...parts, extensions: [], standing: STANDING },
    proposals: [...proposals].sort((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1)),
    known,
  };
}

/** That of an accepted model, so that what is accepted goes there; one of its own where that is proposed already. */
function modelName(drafted: string, knowledge: Knowledge | undefined): string {
  const models = knowledge?.models ?? [];
  const proposed = new Set(models.flatMap((one) => (isProposal(one.standing) ? [one.name.toLowerCase()] : [])));
  const wanted = models.find(({ standing }) => !isProposal(standing))?.name ?? drafted;
  if (!proposed.has(wanted.toLowerCase())) return wanted;
  let name = `${wanted}_log`;
  for (let next = 2; proposed.has(name.toLowerCase()); next += 1) name = `${wanted}_log_${next}`;
  return name;
}

type Parts = Pick<SemanticModel, 'datasets' | 'relationships' | 'metrics' | 'filters'>;

class Proposer {
  readonly #found: Found;
  readonly #names: DatasetsOf;
  readonly #known: KnownDefinitions;
  readonly #limits: MineLimits;
  readonly #taken: Set<string>;
  readonly #proposals: MinedProposal[] = [];
  readonly #datasets = new Map<RelationId, Dataset>();
  #knownCount = 0;

  constructor(found: Found, names: DatasetsOf, known: KnownDefinitions, limits: MineLimits) {
    this.#found = found;
    this.#names = names;
    this.#known = known;
    this.#limits = limits;
    this.#taken = new Set(known.names);
  }

  all(): { readonly parts: Parts; readonly proposals: readonly MinedProposal[]; readonly known: number } {
    const relationships = this.#found.joins.flatMap((join) => this.#relationship(join) ?? []);
    const metrics = this.#found.metrics.flatMap((metric) => this.#metric(metric) ?? []);
    const filters = this.#found.named.flatMap((condition) => this.#filter(condition) ?? []);
    this.#defaultFilters();
    this.#fieldNames();
    const parts = { datasets: [...this.#datasets.values()], relationships, metrics, filters };
    return { parts, proposals: this.#proposals, known: this.#knownCount };
  }

  #tell(kind: EntryKind, name: string, text: string, evidence: Evidence, remark?: string): void {
    const { count, users, last } = evidence;
    const example = shortened(oneLine(evidence.example), MAX_EXAMPLE);
    const told = { id: entryId(kind, name), kind, text, count, users: users.size, example };
    this.#proposals.push({ ...told, ...(last !== undefined && { last }), ...(remark !== undefined && { remark }) });
  }

  /** The name with a number behind it where another entry has it. */
  #free(wanted: string): string {
    let name = wanted;
    for (let next = 2; this.#taken.has(name.toLowerCase()); next += 1) name = `${wanted}_${next}`;
    this.#taken.add(name.toLowerCase());
    return name;
  }

  /** Proposes the dataset as well where nobody has defined it. */
  #home(relation: RelationId): string {
    if (!this.#names.defined.has(relation)) this.#open(relation);
    return this.#names.dataset(relation);
  }

  #open(relation: RelationId): Dataset | undefined {
    const dataset = this.#datasets.get(relation) ?? this.#names.datasetOf(relation);
    if (dataset === undefined) return undefined;
    if (!this.#datasets.has(relation)) this.#datasets.set(relation, { ...dataset, standing: STANDING });
    return this.#datasets.get(relation);
  }

  #relationship({ from, to, pairs, isOneToOne, remark, evidence }: ChosenJoin): Relationship | undefined {
    const texts = pairs.map((pair) => [this.#names.column(pair.from), this.#names.column(pair.to)] as const);
    if (this.#known.joins.has(joinKey(texts))) {
      this.#knownCount += 1;
      return undefined;
    }
    const [many, one] = [this.#home(from), this.#home(to)];
    const by = pairs.map((pair) => pair.from.name).join('_');
    const wanted = `${many}_to_${one}`;
    const name = this.#taken.has(wanted.toLowerCase()) ? this.#free(`${wanted}_by_${by}`) : this.#free(wanted);
    this.#tell('relationship', name, texts.map((pair) => pair.join(' = ')).join(' AND '), evidence, remark);
    return {
      name,
      from: many,
      to: one,
      fromColumns: pairs.map((pair) => pair.from.name),
      toColumns: pairs.map((pair) => pair.to.name),
      ...(isOneToOne && { isOneToOne }),
      extensions: [],
      standing: STANDING,
    };
  }

  #metric(metric: ChosenMetric): Metric | undefined {
    const { relation, text, conditions, evidence } = metric;
    const own = conditions.filter((one) => !this.#known.always.has(one));
    const known = this.#known.metrics.get(metricKey(this.#names.dataset(relation), text, own));
    // What one of several calls it names nothing for the others.
    const said = metric.aliases.filter((one) => this.#isSaid(one.evidence, evidence));
    const common = said
      .filter((one) => one.evidence.users.size >= this.#limits.minUsers || isEnough(one.evidence, this.#limits))
      .map(({ alias }) => alias);
    if (known !== undefined) return this.#newNames(known, common, evidence);
    const dataset = this.#home(relation);
    const [best, ...others] = common.length > 0 ? common : said.slice(0, 1).map(({ alias }) => alias);
    const name = this.#free(
      slugOf(best ?? `${dataset} ${text}`, 'metric')
        .replaceAll('-', '_')
        .slice(0, 60),
    );
    const synonyms = newNames(others, [name]);
    const filter = own.join(' AND ');
    const remark = metric.isPicked ? 'it stands under conditions whose values are not known' : undefined;
    const told = text.includes('.') ? text : `${text} of ${dataset}`;
    this.#tell('metric', name, filter === '' ? told : `${told} where ${filter}`, evidence, remark);
    return {
      name,
      ...(synonyms.length > 0 && { ai: { synonyms, examples: [] } }),
      definition: {
        kind: 'aggregate',
        expressions: ansi(text),
        dataset,
        ...(filter !== '' && { filter: own.map((one) => bracketed(one)).join(' AND ') }),
      },
      extensions: [],
      standing: STANDING,
    };
  }

  /** A known metric that several call by a name that it does not have. */
  #newNames(metric: Metric, aliases: readonly string[], evidence: Evidence): Metric | undefined {
    const added = newNames(aliases, [metric.name, metric.label ?? '', ...(metric.ai?.synonyms ?? [])]);
    if (added.length === 0 || isProposal(metric.standing)) {
      this.#knownCount += 1;
      return undefined;
    }
    this.#tell('metric', metric.name, `also called ${added.join(', ')}`, evidence);
    const { ai } = metric;
    const synonyms = [...(ai?.synonyms ?? []), ...added];
    return {
      ...metric,
      ai: { examples: [], ...ai, synonyms },
      standing: { ...STANDING, owner: metric.standing.owner },
    };
  }

  #filter({ relation, text, columns, evidence }: GatheredCondition): NamedFilter | undefined {
    if (this.#known.filters.has(text) || this.#known.always.has(text)) {
      this.#knownCount += 1;
      return undefined;
    }
    const dataset = this.#home(relation);
    const how = / (<>|NOT|IS NOT) /.test(` ${text} `) ? 'is_not' : / (=|IN|IS) /.test(text) ? 'is' : 'limit';
    const name = this.#free(`${slugOf(columns.join(' '), dataset).replaceAll('-', '_')}_${how}`);
    this.#tell('filter', name, text, evidence);
    return { name, dataset, condition: text, synonyms: [], standing: STANDING };
  }

  #defaultFilters(): void {
    for (const [relation, all] of Map.groupBy(this.#found.always, (one) => one.relation)) {
      const added = all.filter(({ text }) => !this.#known.always.has(text));
      this.#knownCount += all.length - added.length;
      const [first] = added;
      const dataset = first && this.#open(relation);
      if (first === undefined || dataset === undefined) continue;
      const before = dataset.defaultFilter === undefined ? [] : [bracketed(dataset.defaultFilter)];
      const defaultFilter = [...before, ...added.map(({ text }) => bracketed(text))].join(' AND ');
      this.#datasets.set(relation, { ...dataset, defaultFilter });
      const texts = added.map(({ text }) => text).join(' AND ');
      this.#tell('dataset', dataset.name, `default filter ${texts}`, first.ofBase);
    }
  }

  #fieldNames(): void {
    for (const { column, relation, aliases } of this.#found.facts.names.values()) {
      const all = together(aliases.values());
      const enough = new Map(
        [...aliases].filter(([, evidence]) => isEnough(evidence, this.#limits) && this.#isSaid(evidence, all)),
      );
      const dataset = this.#datasets.get(relation) ?? this.#names.datasetOf(relation);
      const shown = this.#names.column(column);
      const field = dataset?.fields.find(({ name }) => this.#isShownAs(name, shown, dataset.name));
      if (field === undefined) continue;
      const said = [field.name, field.label ?? '', ...(field.ai?.synonyms ?? [])];
      const added = newNames([...enough.keys()], said);
      const first = [...enough].find(([alias]) => plainName(alias) === added[0])?.[1];
      const open = first && this.#open(relation);
      if (first === undefined || open === undefined) continue;
      const { ai } = field;
      const synonyms = [...(ai?.synonyms ?? []), ...added];
      const named = { ...field, ai: { examples: [], ...ai, synonyms } };
      const fields = open.fields.map((one) => (one === field || one.name === field.name ? named : one));
      this.#datasets.set(relation, { ...open, fields });
      this.#tell('field', `${open.name}.${field.name}`, `also called ${added.join(', ')}`, first);
    }
  }

  #isSaid({ users }: Evidence, all: Evidence): boolean {
    return users.size >= this.#limits.minUsers || users.size === all.users.size;
  }

  #isShownAs(field: string, shown: string, dataset: string): boolean {
    return shown.replaceAll('"', '').toLowerCase() === `${dataset}.${field}`.toLowerCase();
  }
}

function bracketed(condition: string): string {
  return / OR /.test(condition) ? `(${condition})` : condition;
}

function plainName(alias: string): string {
  return alias.replaceAll(/[_\s-]+/g, ' ').trim();
}

/** Each once, however it is written, and none that is said already. */
function newNames(aliases: readonly string[], said: readonly string[]): readonly string[] {
  const keys = new Set(said.map(keyOfName));
  return aliases.map(plainName).filter((name) => {
    const isNew = !keys.has(keyOfName(name));
    keys.add(keyOfName(name));
    return isNew;
  });
}

function keyOfName(name: string): string {
  return phraseKey(wordsOfName(name));
}
