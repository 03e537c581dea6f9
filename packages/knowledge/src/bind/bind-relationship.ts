import type { DataType } from '@askema/core';
import type { Relationship } from '../model/semantic-model.ts';
import { keyColumn } from './bind-dataset.ts';
import type { BoundDataset, BoundRelationship, SourceColumn } from './bound-knowledge.ts';
import { dependsOn, unknownDataset } from './look-up-name.ts';
import type { ProblemList, Remark } from './problem-list.ts';
import { nearColumn } from './source-columns.ts';

/** Looks up a join; undefined where a dataset or a column is not there. */
export function bindRelationship(
  relationship: Relationship,
  datasets: ReadonlyMap<string, BoundDataset>,
  isBroken: (dataset: string) => boolean,
  problems: ProblemList,
): BoundRelationship | undefined {
  const { name, standing, fromColumns, toColumns } = relationship;
  let isWhole = true;
  const remark = (found: Remark): void => {
    if (found.severity === undefined) isWhole = false;
    problems.add({ kind: 'relationship', name, standing }, found);
  };
  const [from, to] = [relationship.from, relationship.to].map((side) => datasets.get(side.toLowerCase()));
  for (const [side, missing] of [
    [from, relationship.from],
    [to, relationship.to],
  ] as const)
    if (side === undefined)
      remark(isBroken(missing) ? dependsOn('dataset', missing) : unknownDataset(missing, datasets));
  if (fromColumns.length !== toColumns.length || fromColumns.length === 0)
    remark({
      code: 'join-columns',
      message: `The relationship \`${name}\` joins ${fromColumns.length} columns of \`${relationship.from}\` to ${toColumns.length} of \`${relationship.to}\`.`,
      advice: 'Name as many columns on both sides, in the same order.',
    });
  const sideColumns = (names: readonly string[], side: BoundDataset, others: readonly (SourceColumn | undefined)[]) =>
    names.map((column, at) => {
      const found = sideColumn(column, side);
      if (found === undefined) remark(unknownSideColumn(name, column, side, others[at]?.type));
      return found;
    });
  const ofTo = to && toColumns.map((column) => sideColumn(column, to));
  const fromFound = from === undefined ? [] : sideColumns(fromColumns, from, ofTo ?? []);
  const toFound = to === undefined ? [] : sideColumns(toColumns, to, fromFound);
  const pairs = fromFound.flatMap((column, at) => {
    const other = toFound[at];
    return column === undefined || other === undefined ? [] : [{ from: column, to: other }];
  });
  if (from === undefined || to === undefined || !isWhole) return undefined;
  for (const pair of pairs)
    if (pair.from.type !== pair.to.type && from.relation !== undefined && to.relation !== undefined)
      remark({
        severity: 'warning',
        code: 'join-types',
        message: `The relationship \`${name}\` compares \`${from.dataset.name}.${pair.from.name}\` (${pair.from.type}) with \`${to.dataset.name}.${pair.to.name}\` (${pair.to.type}).`,
        advice: 'Engines differ in how they compare such columns; join columns of one type.',
      });
  return { relationship, from, to, pairs };
}

/** Nobody knows the columns of a query before it runs: any name may be one. */
function sideColumn(name: string, dataset: BoundDataset): SourceColumn | undefined {
  const find = (key: string): SourceColumn | undefined => dataset.columns.get(key.toLowerCase());
  const known = keyColumn(name, { find }, dataset.fields);
  return known ?? (dataset.relation === undefined ? { name, type: 'TEXT' } : undefined);
}

function unknownSideColumn(
  relationship: string,
  name: string,
  { dataset, columns }: BoundDataset,
  type: DataType | undefined,
): Remark {
  return {
    code: 'unknown-column',
    message: `The relationship \`${relationship}\` names the column \`${name}\`, which \`${dataset.name}\` does not have.`,
    advice: nearColumn(name, columns, type),
  };
}
