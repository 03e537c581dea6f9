import { didYouMeanOneOf, nearestNames } from '@askema/core';
import { sameName } from '../../../model/same-name.ts';
import { timeGrain } from '../project/read-measure.ts';
import { attempt, Unsayable } from '../unsayable.ts';
import type { BuiltDataset } from './build-datasets.ts';
import { type FilterPart, readFilterTemplate } from './filter-template.ts';

/** From where names are looked up: the semantic models whose rows a metric aggregates, and when these happened. */
export interface FilterScope {
  readonly from: readonly BuiltDataset[];
  /** `dataset.field` of each aggregation; undefined for one without a time. */
  readonly times: readonly (string | undefined)[];
}

/**
 * A filter of MetricFlow as SQL over `dataset.field`.
 *
 * @throws Unsayable for what in it is not understood, or leads to no one field.
 */
export function readCondition(template: string, scope: FilterScope, all: readonly BuiltDataset[]): string {
  return readFilterTemplate(template)
    .map((part) => (part.kind === 'sql' ? part.text : resolvePart(part, scope, all)))
    .join('')
    .trim();
}

type Named = Exclude<FilterPart, { kind: 'sql' }>;

function resolvePart(part: Named, scope: FilterScope, all: readonly BuiltDataset[]): string {
  // MetricFlow lets a grain stand behind the name: `metric_time__month`.
  const last = timeGrain(part.path.at(-1));
  const shorter = { ...part, path: part.path.slice(0, -1), grain: part.grain ?? last };
  const whole = attempt(() => fieldOf(part, scope, all));
  const isShorter = typeof whole !== 'string' && last !== undefined && part.path.length > 1;
  const field = isShorter ? attempt(() => fieldOf(shorter, scope, all)) : whole;
  if (typeof field !== 'string') throw whole;
  const grain = isShorter ? shorter.grain : part.grain;
  if (part.datePart !== undefined) return `EXTRACT(${part.datePart.toUpperCase()} FROM ${field})`;
  if (grain === undefined || grain === grainOf(field, all)) return field;
  if (timeGrain(grain) === undefined) throw new Unsayable(`\`${grain}\` is no unit of time here`);
  return `DATE_TRUNC('${grain}', ${field})`;
}

function fieldOf(part: Named, scope: FilterScope, all: readonly BuiltDataset[]): string {
  const written = part.path.join('__');
  if (part.path.length === 1 && part.path[0] === 'metric_time') {
    const [time, ...others] = new Set(scope.times);
    if (time !== undefined && others.length === 0) return time;
    throw new Unsayable('`metric_time` is not one field here: name the time dimension');
  }
  const targets = new Set<string>();
  for (const from of scope.from) {
    const reached = new Set(reach(from, part.path, part.kind, all, 0));
    if (reached.size > 1) throw new Unsayable(`\`${written}\` is ${[...reached].join(' or ')}`);
    for (const one of reached) targets.add(one);
    if (reached.size === 0) throw new Unsayable(unreached(written, from, part, all));
  }
  const [target, ...others] = targets;
  if (target !== undefined && others.length === 0) return target;
  throw new Unsayable(`\`${written}\` means ${[...targets].join(' and ')}, depending on the metric`);
}

/** Fields that a path of entities leads to. What the dataset itself has comes first. */
function reach(
  from: BuiltDataset,
  path: readonly string[],
  kind: Named['kind'],
  all: readonly BuiltDataset[],
  depth: number,
): readonly string[] {
  const [step = '', ...rest] = path;
  if (rest.length === 0) {
    const field = kind === 'entity' ? from.entities.get(step) : undefined;
    return field === undefined ? [] : [`${from.dataset.name}.${field}`];
  }
  const own = from.model.entities.find((entity) => sameName(entity.name, step));
  const isPrimary = own?.type === 'primary' || sameName(from.model.primaryEntity ?? '', step);
  const here = isPrimary || (depth > 0 && own?.type === 'unique') ? endOf(from, rest, kind) : [];
  if (here.length > 0) return here;
  if (own === undefined) return [];
  return all
    .filter((to) => to !== from && to.model.entities.some((one) => sameName(one.name, step) && isOne(one.type)))
    .flatMap((to) => {
      const there = endOf(to, rest, kind);
      return there.length > 0 ? there : reach(to, rest, kind, all, depth + 1);
    });
}

function endOf(at: BuiltDataset, rest: readonly string[], kind: Named['kind']): readonly string[] {
  const [name = ''] = rest;
  if (rest.length !== 1) return [];
  const field = kind === 'entity' ? at.entities.get(name) : at.dimensions.get(name);
  return field === undefined ? [] : [`${at.dataset.name}.${field}`];
}

function unreached(written: string, from: BuiltDataset, part: Named, all: readonly BuiltDataset[]): string {
  const names = all.flatMap((one) =>
    one.model.entities
      .filter((entity) => isOne(entity.type))
      .flatMap((entity) =>
        [...(part.kind === 'entity' ? one.entities : one.dimensions).keys()].map((name) => `${entity.name}__${name}`),
      ),
  );
  const near = didYouMeanOneOf(nearestNames(written, names));
  return `\`${written}\` is not reached from ${from.model.name}${near === '' ? '' : `. ${near}`}`;
}

function isOne(type: string): boolean {
  return type === 'primary' || type === 'unique';
}

function grainOf(field: string, all: readonly BuiltDataset[]): string | undefined {
  const [dataset = '', name = ''] = field.split('.');
  const built = all.find((one) => one.dataset.name === dataset);
  return built?.dataset.fields.find((one) => one.name === name)?.timeGrain;
}
