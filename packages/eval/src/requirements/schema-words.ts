import type { DataType } from '@askema/core';
import { plainName } from '../schemas/compared-schema.ts';
import { type GoldTable, goldDefects } from '../schemas/load-schema-dataset.ts';

/** Tables in the form of RSchema. */
export type Answer = Readonly<Record<string, GoldTable>>;

/** Types by table and column, each name in plain form. */
export type ColumnTypes = ReadonlyMap<string, ReadonlyMap<string, DataType | undefined>>;

/** A schema as models and people read it, a line for each table. */
export function schemaWords(answer: Answer, types: ColumnTypes = new Map()): string {
  return Object.entries(answer)
    .map(([name, table]) => {
      const columns = table.Attributes.map((attribute) => {
        const type = types.get(plainName(name))?.get(plainName(attribute));
        return type === undefined ? attribute : `${attribute} ${type}`;
      });
      const references = Object.entries(table['Foreign key']).flatMap(([column, targets]) =>
        Object.entries(targets).flatMap(([target, to]) =>
          [to].flat().map((each) => `${column} references ${target}.${each}`),
        ),
      );
      return [`${name}(${columns.join(', ')})`, `key ${table['Primary key'].join(', ') || 'none'}`, ...references].join(
        '; ',
      );
    })
    .join('\n');
}

/** What code finds wrong in a schema, for the reviewers. */
export function schemaFindings(answer: Answer): readonly string[] {
  return goldDefects(answer).map(({ message }) => message);
}

const TYPE_WORDS: Readonly<Record<DataType, string | undefined>> = {
  TEXT: 'VARCHAR(255)',
  NUMERIC: 'FLOAT',
  DATETIME: 'DATETIME',
  BOOL: 'BOOL',
  BINARY: 'BLOB',
} as Readonly<Record<DataType, string | undefined>>;

/** The types of a schema as the `ddl` of a row of RSchema. */
export function typesAsDdl(answer: Answer, types: ColumnTypes): string {
  const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
  return Object.entries(answer)
    .map(([name, { Attributes }]) => {
      const columns = Attributes.map((attribute) => {
        const type = types.get(plainName(name))?.get(plainName(attribute));
        const word = type === undefined ? undefined : TYPE_WORDS[type];
        return word === undefined ? quoted(attribute) : `${quoted(attribute)} ${word}`;
      });
      return `CREATE TABLE ${quoted(name)} (${columns.join(', ')});`;
    })
    .join('\n');
}
