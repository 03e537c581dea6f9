import { snowflakeLexer } from '@askema/dialects';
import { isSymbol, significantTokens } from '@askema/sql';
import { z } from 'zod';
import type {
  Dataset,
  DialectExpression,
  Extension,
  Field,
  NamedFilter,
  Relationship,
} from '../../model/semantic-model.ts';
import { compact } from '../plain-object.ts';
import { fieldTypeOf } from '../sql-field-type.ts';
import { type Lose, loseParts } from './losses.ts';
import { snowflakeType } from './snowflake-types.ts';
import type { WrittenMetric } from './write-metrics.ts';

type Written = Record<string, unknown>;

/** The parts of the name of a table, outermost first; undefined for a query. */
export function tablePartsOf(dataset: Dataset): readonly string[] | undefined {
  const tokens = significantTokens(dataset.source, snowflakeLexer);
  const isTable = tokens.every((token, at) =>
    at % 2 === 1 ? isSymbol(token, '.') : token.kind === 'word' || token.kind === 'quotedName',
  );
  if (!isTable || tokens.length % 2 === 0 || tokens.length > 5) return undefined;
  // A name that needs its quotes keeps them: Snowflake folds the others to upper case.
  return tokens.filter((_, at) => at % 2 === 0).map(({ text }) => text);
}

export function writeTable(
  dataset: Dataset,
  filters: readonly NamedFilter[],
  metrics: readonly WrittenMetric[],
  lose: Lose,
): Written {
  const entry = `dataset ${dataset.name}`;
  loseParts(dataset, dataset, entry, lose, {
    instructions: dataset.ai?.instructions,
    grain: dataset.grain,
    'default time': dataset.defaultTime,
    certified: dataset.isCertified,
  });
  if (dataset.defaultFilter !== undefined)
    lose(
      dataset,
      `${entry}: default filter`,
      'It is written into its metrics; whoever reads the table counts all rows.',
    );
  const parts = tablePartsOf(dataset) ?? [];
  const [table = '', schema, database] = [...parts].reverse();
  if (parts.length < 3)
    lose(
      dataset,
      `${entry}: database and schema`,
      'A view names its tables in full. Add what is missing to base_table.',
    );
  const lists = { dimensions: [] as Written[], time_dimensions: [] as Written[], facts: [] as Written[] };
  for (const field of dataset.fields) {
    const list = field.dimension === undefined ? 'facts' : field.dimension.isTime ? 'time_dimensions' : 'dimensions';
    const written = writeField(dataset, field, list === 'facts', lose);
    if (written !== undefined) lists[list].push(written);
  }
  return {
    ...compact({
      name: dataset.name,
      synonyms: dataset.ai?.synonyms,
      description: dataset.description,
      base_table: compact({ database, schema, table }),
      primary_key: dataset.primaryKey.length > 0 ? { columns: dataset.primaryKey } : undefined,
      unique_keys: dataset.uniqueKeys.map((columns) => ({ columns })),
      ...lists,
      filters: filters.map(writeFilter),
      metrics: metrics.map(({ written }) => written),
    }),
    ...keptKeys(dataset),
  };
}

/** `relationship_type` is written where it says more than what Snowflake takes from the keys. */
export function writeRelationship(one: Relationship, lose: Lose): Written {
  loseParts(one, one, `relationship ${one.name}`, lose, {
    instructions: one.ai?.instructions,
    synonyms: one.ai?.synonyms,
  });
  const columns = one.fromColumns.map((column, at) => ({
    left_column: column,
    right_column: one.toColumns[at] ?? '',
  }));
  return {
    name: one.name,
    left_table: one.from,
    right_table: one.to,
    relationship_columns: columns,
    ...(one.isOneToOne === true ? { relationship_type: 'one_to_one' } : {}),
    ...keptKeys(one),
  };
}

/** The text for Snowflake, else the one for all engines. */
export function snowflakeTextOf(expressions: readonly DialectExpression[]): string | undefined {
  const found =
    expressions.find(({ dialect }) => dialect === 'SNOWFLAKE') ??
    expressions.find(({ dialect }) => dialect === 'ANSI_SQL');
  return found?.expression;
}

/** What the importer kept of keys that the model lacks. Text that is no such object is left alone. */
export function keptKeys(holder: { readonly extensions: readonly Extension[] }): Written {
  const kept = holder.extensions.filter(({ vendor }) => vendor === 'SNOWFLAKE').map(({ data }) => readKept(data));
  return Object.assign({}, ...kept) as Written;
}

function readKept(data: string): Written {
  try {
    const read = z.record(z.string(), z.unknown()).safeParse(JSON.parse(data));
    return read.success ? read.data : {};
  } catch {
    return {};
  }
}

function writeField(dataset: Dataset, field: Field, isFact: boolean, lose: Lose): Written | undefined {
  const entry = `field ${dataset.name}.${field.name}`;
  const text = snowflakeTextOf(field.expressions);
  if (text === undefined) {
    lose(dataset, entry, 'It has no expression for Snowflake, and none for all engines.');
    return undefined;
  }
  const { data_type: ownType, ...kept } = keptKeys(field);
  const isOwn = typeof ownType === 'string' && (field.type === undefined || fieldTypeOf(ownType) === field.type);
  const isEnum = !isFact && field.dimension?.isTime !== true;
  loseParts(dataset, field, entry, lose, {
    instructions: field.ai?.instructions,
    label: field.label,
    unit: field.unit,
    'time grain': field.timeGrain,
    format: field.format,
    hidden: field.isHidden === true && !isFact,
    'that there are no other values': isEnum ? [] : field.values,
    meanings: field.values.filter((value) => value.meaning !== undefined || value.synonyms.length > 0),
  });
  const samples = field.ai?.other?.sample_values;
  const values = field.values.length > 0 ? field.values.map(({ value }) => value) : samples;
  return {
    ...compact({
      name: field.name,
      synonyms: field.ai?.synonyms,
      description: field.description,
      expr: text,
      data_type: isOwn ? ownType : field.type && snowflakeType(field.type),
      // Texts, whatever the type: so says its protobuf.
      sample_values: Array.isArray(values) ? values.map(String) : undefined,
      is_enum: isEnum && field.values.length > 0 ? true : undefined,
      access_modifier: field.isHidden === true && isFact ? 'private_access' : undefined,
    }),
    ...kept,
  };
}

function writeFilter({ name, synonyms, description, condition }: NamedFilter): Written {
  return compact({ name, synonyms, description, expr: condition });
}
