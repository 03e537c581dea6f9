import { didYouMean } from '@askema/core';
import type { ColumnName } from '../expression/expression.ts';
import type { BoundDataset, BoundField, SourceColumn } from './bound-knowledge.ts';
import type { Remark } from './problem-list.ts';

/** What a name in a metric or a condition means. */
export type FoundName =
  | { readonly kind: 'field'; readonly dataset: BoundDataset; readonly field: BoundField }
  | { readonly kind: 'column'; readonly dataset: BoundDataset; readonly column: SourceColumn }
  | { readonly kind: 'problem'; readonly remark: Remark };

type Datasets = ReadonlyMap<string, BoundDataset>;

/**
 * A field first, else a column of the source. A name without a dataset is looked up in `home`, else in the only dataset
 * that has it.
 */
export function lookUpName(
  { qualifier, name }: Pick<ColumnName, 'qualifier' | 'name'>,
  datasets: Datasets,
  home?: string | undefined,
): FoundName {
  if (qualifier.length === 0) return lookUpBareName(name, datasets, home);
  // With a schema in front it would be a table, maybe that of another tenant.
  const outer = qualifier.join('.');
  const dataset = qualifier.length > 1 ? undefined : datasets.get(outer.toLowerCase());
  if (dataset === undefined) return problem(unknownDataset(outer, datasets));
  if (isLeftOut(name, dataset)) return problem(brokenField(name, dataset));
  return (
    inDataset(name, dataset) ??
    problem({
      code: 'unknown-field',
      message: `The dataset \`${dataset.dataset.name}\` has no field or column \`${name}\`.`,
      advice: didYouMean(name, namesOf(dataset)) || elsewhere(name, datasets),
    })
  );
}

/** What is wrong with the name of a dataset that is not there. */
export function unknownDataset(name: string, datasets: Datasets): Remark {
  const names = [...datasets.values()].map(({ dataset }) => dataset.name);
  return {
    code: 'unknown-dataset',
    message: `There is no dataset \`${name}\`.`,
    advice: didYouMean(name, names) || undefined,
  };
}

function lookUpBareName(name: string, datasets: Datasets, home: string | undefined): FoundName {
  const own = home === undefined ? undefined : datasets.get(home.toLowerCase());
  if (own !== undefined && isLeftOut(name, own)) return problem(brokenField(name, own));
  const atHome = own && inDataset(name, own);
  if (atHome !== undefined) return atHome;
  const all = [...datasets.values()];
  const having = all.filter((dataset) => dataset.fields.has(name.toLowerCase()) || isLeftOut(name, dataset));
  const found = having.length > 0 ? having : all.filter(({ columns }) => columns.has(name.toLowerCase()));
  const [only, other] = found;
  if (only === undefined)
    return problem({
      code: 'unknown-field',
      message: `No dataset has a field or column \`${name}\`.`,
      advice: nearestInAll(name, all),
    });
  if (other !== undefined)
    return problem({
      code: 'ambiguous-name',
      message: `\`${name}\` may be ${found
        .slice(0, 4)
        .map(({ dataset }) => `\`${dataset.name}.${name}\``)
        .join(' or ')}.`,
      advice: 'Write the dataset in front of it.',
    });
  return inDataset(name, only) ?? problem(brokenField(name, only));
}

function inDataset(name: string, dataset: BoundDataset): FoundName | undefined {
  const field = dataset.fields.get(name.toLowerCase());
  if (field !== undefined) return { kind: 'field', dataset, field };
  if (isLeftOut(name, dataset)) return undefined;
  const column = dataset.columns.get(name.toLowerCase());
  return column && { kind: 'column', dataset, column };
}

function isLeftOut(name: string, { leftOut }: BoundDataset): boolean {
  return leftOut?.has(name.toLowerCase()) === true;
}

function brokenField(name: string, { dataset }: BoundDataset): Remark {
  return dependsOn('field', `${dataset.name}.${name}`);
}

/** What depends on a part that was left out is left out as well. */
export function dependsOn(kind: string, name: string): Remark {
  return {
    code: 'depends-on-broken',
    message: `It needs the ${kind} \`${name}\`, which was left out because something is wrong with it.`,
    advice: `Mend the ${kind} \`${name}\` first.`,
  };
}

function namesOf({ fields, columns }: BoundDataset): string[] {
  return [...[...fields.values()].map(({ field }) => field.name), ...[...columns.values()].map(({ name }) => name)];
}

function elsewhere(name: string, datasets: Datasets): string | undefined {
  const having = [...datasets.values()].filter((dataset) => inDataset(name, dataset) !== undefined);
  const names = having.slice(0, 3).map(({ dataset }) => `\`${dataset.name}.${name}\``);
  return names.length === 0 ? undefined : `There is ${names.join(' and ')}.`;
}

/** Converters of dbt write a dimension of another entity as `entity__dimension`. */
function nearestInAll(name: string, all: readonly BoundDataset[]): string | undefined {
  const end = name.includes('__') ? name.slice(name.lastIndexOf('__') + 2) : undefined;
  const having = end === undefined ? [] : all.filter((dataset) => inDataset(end, dataset) !== undefined);
  if (end !== undefined && having.length > 0) {
    const names = having.slice(0, 3).map(({ dataset }) => `\`${dataset.name}.${end}\``);
    return `It looks like a dimension behind an entity, as dbt writes it. Write ${names.join(' or ')}.`;
  }
  return didYouMean(end ?? name, all.flatMap(namesOf)) || undefined;
}

function problem(remark: Remark): FoundName {
  return { kind: 'problem', remark };
}
