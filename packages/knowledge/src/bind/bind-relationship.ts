import { didYouMean } from '@askema/core';
import type { Relationship } from '../model/semantic-model.ts';
import { keyColumn } from './bind-dataset.ts';
import type { BoundDataset, BoundRelationship, SourceColumn } from './bound-knowledge.ts';
import { dependsOn, unknownDataset } from './look-up-name.ts';
import type { ProblemList, Remark } from './problem-list.ts';

/** Looks up a join; undefined where a dataset or a column is not there. */
export function bindRelationship(
  relationship: Relationship,
  datasets: ReadonlyMap<string, BoundDataset>,
  isBroken: (dataset: string) => boolean,
  problems: ProblemList,
): BoundRelationship | undefined {
  const { name, standing, fromColumns, toColumns } = relationship;
  const remark = (found: Remark): undefined => {
    problems.add({ kind: 'relationship', name, standing }, found);
  };
  const [from, to] = [relationship.from, relationship.to].map((side) => datasets.get(side.toLowerCase()));
  if (from === undefined || to === undefined) {
    const missing = from === undefined ? relationship.from : relationship.to;
    return remark(isBroken(missing) ? dependsOn('dataset', missing) : unknownDataset(missing, datasets));
  }
  if (fromColumns.length !== toColumns.length || fromColumns.length === 0)
    return remark({
      code: 'join-arity',
      message: `The relationship \`${name}\` joins ${fromColumns.length} columns of \`${from.dataset.name}\` to ${toColumns.length} of \`${to.dataset.name}\`.`,
      advice: 'Name as many columns on both sides, in the same order.',
    });
  const pairs: { from: SourceColumn; to: SourceColumn }[] = [];
  for (const [at, fromName] of fromColumns.entries()) {
    const toName = toColumns[at] ?? '';
    const [fromColumn, toColumn] = [sideColumn(fromName, from), sideColumn(toName, to)];
    if (fromColumn === undefined || toColumn === undefined) {
      const [side, missing] = fromColumn === undefined ? ([from, fromName] as const) : ([to, toName] as const);
      return remark(unknownSideColumn(name, missing, side));
    }
    if (fromColumn.type !== toColumn.type && from.relation !== undefined && to.relation !== undefined)
      remark({
        severity: 'warning',
        code: 'join-types',
        message: `The relationship \`${name}\` compares \`${from.dataset.name}.${fromColumn.name}\` (${fromColumn.type}) with \`${to.dataset.name}.${toColumn.name}\` (${toColumn.type}).`,
        advice: 'Engines differ in how they compare such columns; join columns of one type.',
      });
    pairs.push({ from: fromColumn, to: toColumn });
  }
  return { relationship, from, to, pairs };
}

/** Nobody knows the columns of a query before it runs: any name may be one. */
function sideColumn(name: string, dataset: BoundDataset): SourceColumn | undefined {
  const find = (key: string): SourceColumn | undefined => dataset.columns.get(key.toLowerCase());
  const known = keyColumn(name, { find }, dataset.fields);
  return known ?? (dataset.relation === undefined ? { name, type: 'TEXT' } : undefined);
}

function unknownSideColumn(relationship: string, name: string, { dataset, columns }: BoundDataset): Remark {
  return {
    code: 'unknown-column',
    message: `The relationship \`${relationship}\` names the column \`${name}\`, which \`${dataset.name}\` does not have.`,
    advice:
      didYouMean(
        name,
        [...columns.values()].map((column) => column.name),
      ) || undefined,
  };
}
