import { didYouMean } from '@askema/core';
import { snowflakeLexer } from '@askema/dialects';
import { sameName } from '../../model/same-name.ts';
import type { AiContext, Dataset, Field, FieldType, NamedFilter, Relationship } from '../../model/semantic-model.ts';
import { isName, plainName, writtenIn } from '../expression-text.ts';
import type { Path } from '../read-yaml.ts';
import { fieldTypeOf } from '../sql-field-type.ts';
import { READ_KEYS, type SnowflakeColumn, type SnowflakeRelationship, type SnowflakeTable } from './snowflake-file.ts';
import { snowflakeType } from './snowflake-types.ts';
import { extensionOf, type SourceFile } from './source-file.ts';

/** Of the columns of a table. */
const LISTS = ['dimensions', 'time_dimensions', 'facts', 'measures'] as const;

export function readTable(source: SourceFile, table: SnowflakeTable, at: number): Dataset {
  const path = ['tables', at];
  const { base_table: base } = table;
  const columns = LISTS.flatMap((list) => (table[list] ?? []).map((column, index) => ({ column, list, index })));
  source.drop(base, ['database', 'schema', 'table'], [...path, 'base_table'], `dataset ${table.name}`);
  const primaryKey = table.primary_key?.columns ?? [];
  const unique = columns.filter(({ column }) => column.unique === true && isName(column.expr));
  const uniqueKeys = [
    ...(table.unique_keys ?? []).map(({ columns: key }) => key),
    ...unique.map(({ column }) => [column.expr]),
  ];
  const parts = [base.database, base.schema, base.table].flatMap((part) => (part ? [part] : []));
  return {
    name: table.name,
    source: parts.map(sourcePart).join('.'),
    primaryKey,
    uniqueKeys: uniqueKeys.filter((key, index) => firstAt(uniqueKeys, key) === index),
    description: table.description ?? undefined,
    ai: synonymsOf(table.synonyms),
    fields: columns.map(({ column, list, index }) =>
      readColumn(source, table.name, column, [...path, list, index], list),
    ),
    extensions: source.keep(table, READ_KEYS.table, path, `dataset ${table.name}`),
    standing: source.standing([...path, 'name']),
  };
}

function readColumn(source: SourceFile, table: string, column: SnowflakeColumn, path: Path, list: string): Field {
  const entry = `field ${table}.${column.name}`;
  const type = column.data_type ? fieldTypeOf(column.data_type) : undefined;
  const isEnum = column.is_enum === true;
  const samples = (column.sample_values ?? []).map((sample) => inType(sample, type));
  if (column.unique === true && !isName(column.expr))
    source.lose([...path, 'unique'], `${entry}: unique`, 'Keys are columns of the source; this is an expression.');
  const [kept] = source.keep(column, READ_KEYS.column, path, entry);
  // A length or precision is a matter of the column: it is kept to be written again, and no loss.
  const isOwnType = column.data_type && (type === undefined || snowflakeType(type) !== column.data_type);
  const extension = {
    ...(kept === undefined ? {} : (JSON.parse(kept.data) as Record<string, unknown>)),
    ...(isOwnType ? { data_type: column.data_type } : {}),
  };
  return {
    name: column.name,
    expressions: [writtenIn(column.expr, 'SNOWFLAKE', snowflakeLexer)],
    dimension: list === 'dimensions' ? {} : list === 'time_dimensions' ? { isTime: true } : undefined,
    description: column.description ?? undefined,
    type,
    ai: {
      ...(synonymsOf(column.synonyms) ?? { synonyms: [], examples: [] }),
      ...(samples.length > 0 && !isEnum ? { other: { sample_values: samples } } : {}),
    },
    values: isEnum ? samples.map((value) => ({ value, synonyms: [] })) : [],
    isHidden: isPrivate(column.access_modifier),
    extensions: extensionOf(extension),
  };
}

/** Samples may be written as texts. */
function inType(sample: string | number | boolean, type: FieldType | undefined): string | number | boolean {
  if (typeof sample !== 'string' || sample.trim() === '') return sample;
  if (type === 'Boolean' && /^(true|false)$/i.test(sample)) return sample.toLowerCase() === 'true';
  const isNumber = type === 'Integer' || type === 'Decimal' || type === 'Float';
  return isNumber && String(Number(sample)) === sample ? Number(sample) : sample;
}

export function readFilters(source: SourceFile, table: SnowflakeTable, at: number): NamedFilter[] {
  return (table.filters ?? []).map((filter, index) => {
    const path = ['tables', at, 'filters', index];
    source.drop(filter, READ_KEYS.filter, path, `filter ${filter.name}`);
    return {
      name: filter.name,
      dataset: table.name,
      condition: filter.expr,
      description: filter.description ?? undefined,
      synonyms: filter.synonyms ?? [],
      standing: source.standing([...path, 'name']),
    };
  });
}

export function readRelationship(source: SourceFile, one: SnowflakeRelationship, at: number): Relationship[] {
  const path = ['relationships', at];
  const entry = `relationship ${one.name}`;
  const columns = one.relationship_columns ?? [];
  const names = source.content.tables.map(({ name }) => name);
  for (const side of ['left_table', 'right_table'] as const)
    if (!names.some((name) => sameName(name, one[side])))
      throw source.invalid([...path, side], `there is no table \`${one[side]}\``, didYouMean(one[side], names));
  if (columns.length === 0 || one.join_type === 'cross') {
    source.lose(path, entry, 'It has no pairs of columns; only joins over equal columns are read.');
    return [];
  }
  if (one.relationship_type === 'many_to_many') {
    source.lose(path, entry, 'Many rows on both sides: a join over it repeats rows. Model the table in between.');
    return [];
  }
  if (one.join_type === 'inner' || one.join_type === 'full_outer' || one.join_type === 'right_outer')
    source.lose([...path, 'join_type'], `${entry}: join_type ${one.join_type}`, 'Metrics join with LEFT JOIN.');
  const left = {
    table: one.left_table,
    columns: columns.map((pair) => columnOf(source, one.left_table, pair.left_column)),
  };
  const right = {
    table: one.right_table,
    columns: columns.map((pair) => columnOf(source, one.right_table, pair.right_column)),
  };
  const [from, to] = one.relationship_type === 'one_to_many' ? [right, left] : [left, right];
  return [
    {
      name: one.name,
      from: from.table,
      to: to.table,
      fromColumns: from.columns,
      toColumns: to.columns,
      isOneToOne: one.relationship_type === 'one_to_one' ? true : undefined,
      extensions: source.keep(one, READ_KEYS.relationship, path, entry),
      standing: source.standing([...path, 'name']),
    },
  ];
}

/** A column of a table: what a dimension of that name stands for, unless another one stands for the column itself. */
function columnOf(source: SourceFile, tableName: string, name: string): string {
  const table = source.content.tables.find((one) => sameName(one.name, tableName));
  const dimensions = [...(table?.dimensions ?? []), ...(table?.time_dimensions ?? []), ...(table?.facts ?? [])];
  const isSame = (text: string): boolean => sameName(text.trim(), name);
  const named = dimensions.find((one) => isSame(one.name));
  const isColumn = named === undefined || !isName(named.expr) || dimensions.some((one) => isSame(one.expr));
  return isColumn ? name : plainName(named.expr.trim());
}

export function synonymsOf(synonyms: readonly string[] | null | undefined): AiContext | undefined {
  return synonyms && synonyms.length > 0 ? { synonyms, examples: [] } : undefined;
}

export function isPrivate(access: string | null | undefined): true | undefined {
  return access?.startsWith('private') === true ? true : undefined;
}

/** A part of a name in a source: quoted where it would read as something else. */
function sourcePart(part: string): string {
  return isName(part) ? part : `"${part.replaceAll('"', '""')}"`;
}

function firstAt(keys: readonly (readonly string[])[], key: readonly string[]): number {
  return keys.findIndex((other) => other.join('\0') === key.join('\0'));
}
