import { type DataType, type Dialect, didYouMean, type RelationId, type SchemaIndex } from '@askema/core';
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
  /** Of a query: what a model says about the type of a column. */
  learn(name: string, type: DataType): void;
  /** What is wrong with a name that is none. */
  unknown(name: string, where: string): Remark;
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
    unknown: (name, where) => ({
      code: 'unknown-column',
      message: `${where} names the column \`${name}\`, which \`${dataset.source}\` does not have.`,
      advice:
        didYouMean(
          name,
          [...columns.values()].map((column) => column.name),
        ) || undefined,
    }),
  };
}

export function columnsOfQuery(dialect: Dialect): SourceColumns {
  const columns = new Map<string, SourceColumn>();
  const find = (written: string): SourceColumn => {
    const name = unquoted(written, dialect);
    const stored = name === written ? storedName({ text: name, isQuoted: false }, dialect) : name;
    const known = columns.get(name.toLowerCase()) ?? { name: stored, type: 'TEXT' };
    columns.set(name.toLowerCase(), known);
    return known;
  };
  return {
    columns,
    find,
    learn(name, type) {
      columns.set(name.toLowerCase(), { ...find(name), type });
    },
    unknown: (name, where) => ({ code: 'unknown-column', message: `${where} names the column \`${name}\`.` }),
  };
}

function unquoted(name: string, dialect: Dialect): string {
  if (/^\w*$/.test(name)) return name;
  const [part, more] = nameParts(name, dialect) ?? [];
  return part?.isQuoted === true && more === undefined ? part.text : name;
}
