import { bindKnowledge } from '../bind/bind-knowledge.ts';
import type { BoundDataset, BoundKnowledge } from '../bind/bound-knowledge.ts';
import { analyseMetric } from '../compile/analyse-metric.ts';
import { bindCondition } from '../compile/bind-names.ts';
import type { ColumnName, Expression } from '../expression/expression.ts';
import { mapColumns } from '../expression/walk-expression.ts';
import { mapLists } from '../model/entries.ts';
import type { Knowledge } from '../model/knowledge.ts';
import type { Metric } from '../model/semantic-model.ts';
import { isProposal, type Standing } from '../model/standing.ts';
import { type NameOf, textOfExpression } from './expression-text.ts';
import { isLikeExact, type NormalForms, normalConditions, normalForm, undressed } from './normal-form.ts';

/** What is defined or proposed already, in normal form. */
export interface KnownDefinitions {
  /** By what a metric computes, see {@link metricKey}. */
  readonly metrics: ReadonlyMap<string, Metric>;
  readonly filters: ReadonlySet<string>;
  /** Conditions of default filters. */
  readonly always: ReadonlySet<string>;
  readonly joins: ReadonlySet<string>;
  /** Names that are taken, in lower case. */
  readonly names: ReadonlySet<string>;
}

/** A metric by its dataset, expression and conditions. */
export function metricKey(dataset: string, text: string, conditions: readonly string[]): string {
  return JSON.stringify([dataset, text, [...conditions].sort()]);
}

/** A join by the columns that are equal, whichever side is named first. */
export function joinKey(pairs: readonly (readonly [string, string])[]): string {
  return pairs
    .map((pair) => [...pair].sort().join(' = '))
    .sort()
    .join(' AND ');
}

/** Without what single people propose: it is nobody else's, and keeps nothing from being proposed to all. */
export function ofAll(knowledge: Knowledge): Knowledge {
  const isOfAll = ({ standing }: { readonly standing: Standing }): boolean => standing.by === undefined;
  const models = knowledge.models.filter(isOfAll).map((model) => mapLists(model, (list) => list.filter(isOfAll)));
  return { ...knowledge, models };
}

/** What is accepted, and what is proposed where nothing of that name is accepted; and the other way round. */
export function bindBoth(
  knowledge: Knowledge,
  options: Parameters<typeof bindKnowledge>[1],
): readonly BoundKnowledge[] {
  return [false, true].map((proposed) => {
    const models = knowledge.models.map((model) =>
      mapLists(model, (list, kind) =>
        list.filter((one) => {
          if (isProposal(one.standing) === proposed) return true;
          const lists = knowledge.models.flatMap((each) => namesOf(each, kind, proposed));
          return !lists.includes(one.name.toLowerCase());
        }),
      ),
    );
    return bindKnowledge({ ...knowledge, models }, options);
  });
}

function namesOf(model: Knowledge['models'][number], kind: string, proposed: boolean): readonly string[] {
  const list =
    kind === 'dataset'
      ? model.datasets
      : kind === 'relationship'
        ? model.relationships
        : kind === 'metric'
          ? model.metrics
          : model.filters;
  return list.flatMap(({ name, standing }) => (isProposal(standing) === proposed ? [name.toLowerCase()] : []));
}

export function knownDefinitions(bounds: readonly BoundKnowledge[], nameOf: NameOf): KnownDefinitions {
  const known = {
    metrics: new Map<string, Metric>(),
    filters: new Set<string>(),
    always: new Set<string>(),
    joins: new Set<string>(),
    names: new Set<string>(),
  };
  for (const bound of bounds) {
    for (const { dataset } of bound.datasets.values()) {
      known.names.add(dataset.name.toLowerCase());
      for (const text of conditionTexts(dataset.defaultFilter, dataset.name, bound, nameOf)) known.always.add(text);
    }
    for (const { name, condition, dataset } of bound.filters.values()) {
      known.names.add(name.toLowerCase());
      known.filters.add(conditionTexts(condition, dataset, bound, nameOf).join(' AND '));
    }
    for (const metric of bound.metrics.values()) {
      known.names.add(metric.name.toLowerCase());
      const key = keyOfMetric(metric, bound, nameOf);
      if (key !== undefined && !known.metrics.has(key)) known.metrics.set(key, metric);
    }
    for (const { from, to, pairs } of bound.relationships) {
      const name = ({ dataset }: BoundDataset, column: string): string => nameOf(columnOf(dataset.name, column));
      known.joins.add(joinKey(pairs.map((pair) => [name(from, pair.from.name), name(to, pair.to.name)])));
    }
  }
  return known;
}

function columnOf(dataset: string, column: string): ColumnName {
  const bound = { dataset, column, type: 'TEXT' as const };
  return { kind: 'column', qualifier: [], name: column, isQuoted: true, bound, span: { start: 0, end: 0 } };
}

function conditionTexts(
  condition: string | undefined,
  home: string,
  bound: BoundKnowledge,
  nameOf: NameOf,
): readonly string[] {
  if (condition === undefined) return [];
  try {
    const read = bindCondition(condition, { bound, home, where: 'A condition', columns: true });
    return textsOf(read, bound, nameOf);
  } catch {
    // What cannot be read is a matter of `checkKnowledge`.
    return [];
  }
}

function textsOf(condition: Expression, { dialect }: BoundKnowledge, nameOf: NameOf): readonly string[] {
  const forms: NormalForms = { nameOf, isKey: () => false, likeIsExact: isLikeExact(dialect) };
  return normalConditions(condition, forms).map((one) => textOfExpression(one, nameOf));
}

/** Undefined for what no plain statement computes: running values, offsets, balances. */
function keyOfMetric(metric: Metric, bound: BoundKnowledge, nameOf: NameOf): string | undefined {
  try {
    const { value, measures } = analyseMetric(metric.name, bound);
    const [first] = measures;
    if (first === undefined || measures.some(({ running, lasting, shifts }) => running || lasting || shifts.length > 0))
      return undefined;
    const { dataset } = first.dataset;
    const conditions = measures.map(({ filters }) =>
      filters.flatMap((filter) => textsOf(filter, bound, nameOf)).sort(),
    );
    const isShared = measures.every(({ dataset: one }) => one === first.dataset);
    if (!isShared || conditions.some((texts) => texts.join() !== conditions[0]?.join())) return undefined;
    const whole = mapColumns(value, (column) => measures.find(({ key }) => key === column.name)?.call ?? column);
    const isKey = ({ bound: column }: ColumnName): boolean =>
      column?.dataset === dataset.name &&
      first.dataset.keys.some((key) => key.length === 1 && key[0] === column.column);
    const forms = { nameOf, isKey, likeIsExact: isLikeExact(bound.dialect) };
    const text = textOfExpression(normalForm(undressed(whole), forms), nameOf);
    const always = conditionTexts(dataset.defaultFilter, dataset.name, bound, nameOf);
    const own = new Set((conditions[0] ?? []).filter((one) => !always.includes(one)));
    return metricKey(dataset.name, text, [...own]);
  } catch {
    return undefined;
  }
}
