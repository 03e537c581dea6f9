import { type DataType, type Dialect, didYouMean, nearestNames, type RelationId, type SchemaIndex } from '@askema/core';
import type { Dataset } from '../model/semantic-model.ts';
import type { SourceColumn } from './bound-knowledge.ts';
import { nameParts, storedName } from './name-parts.ts';
import type { Remark } from './problem-list.ts';

/** The columns of the source of a dataset while it is bound. */
export interface SourceColumns {
  /** By name in lower case. */
  readonly columns: ReadonlyMap<string, SourceColumn>;
  /** A column by its name; of a query, whose columns nobody knows before it runs, every name is one. */
  find(name: string): SourceColumn | undefined;
  /** Of a query: what a model says about a column. */
  learn(name: string, type: DataType | undefined): void;
  /** What is wrong with a name that is none; a column of the type that is wanted comes first in the advice. */
  unknown(name: string, where: string, type?: DataType | undefined): Remark;
}

export function columnsOfRelation(
  dataset: Dataset,
  relation: RelationId,
  index: SchemaIndex,
  dialect: Dialect,
): SourceColumns {
  const columns = new Map<string, SourceColumn>();
  for (const { name, type } of index.attributesOf(relation)) {
    const key = name.toLowerCase();
    // Of two that differ in case only, the one that an unquoted name means.
    if (!columns.has(key) || storedName({ text: key, isQuoted: false }, dialect) === name)
      columns.set(key, { name, type });
  }
  return {
    columns,
    find: (name) => columns.get(name.toLowerCase()) ?? columns.get(unquoted(name, dialect).toLowerCase()),
    learn: () => undefined,
    unknown: (name, where, type) => ({
      code: 'unknown-column',
      message: `${where} names the column \`${name}\`, which \`${dataset.source}\` does not have.`,
      advice: nearColumn(name, columns, type),
    }),
  };
}

/** What may be meant: a column that was renamed has kept its type. */
export function nearColumn(
  name: string,
  columns: ReadonlyMap<string, SourceColumn>,
  type: DataType | undefined,
): string | undefined {
  const all = [...columns.values()];
  const sameType = type === undefined ? [] : all.filter((column) => column.type === type);
  const names = (list: readonly SourceColumn[]): string[] => list.map((column) => column.name);
  const near = nearestNames(name, names(sameType));
  return didYouMean(name, near.length > 0 ? near : names(all)) || undefined;
}

/** @param types of columns of the relations that the query reads, by name in lower case */
export function columnsOfQuery(dialect: Dialect, types: ReadonlyMap<string, DataType>): SourceColumns {
  const columns = new Map<string, SourceColumn>();
  const find = (written: string, type: DataType = 'TEXT'): SourceColumn => {
    const name = unquoted(written, dialect);
    const key = name.toLowerCase();
    const stored = name === written ? storedName({ text: name, isQuoted: false }, dialect) : name;
    const known = columns.get(key) ?? { name: stored, type: types.get(key) ?? type };
    columns.set(key, known);
    return known;
  };
  return {
    columns,
    find: (name) => find(name),
    learn(text, type) {
      if (type !== undefined && /^[a-z_]\w*$/i.test(text)) find(text, type);
    },
    unknown: (name, where) => ({ code: 'unknown-column', message: `${where} names the column \`${name}\`.` }),
  };
}

function unquoted(name: string, dialect: Dialect): string {
  if (/^\w*$/.test(name)) return name;
  const [part, more] = nameParts(name, dialect) ?? [];
  return part?.isQuoted === true && more === undefined ? part.text : name;
}
