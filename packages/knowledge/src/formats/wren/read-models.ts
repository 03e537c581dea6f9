import { sameName } from '../../model/same-name.ts';
import { type AiContext, ansi, type Dataset, type Field } from '../../model/semantic-model.ts';
import { isName, plainName } from '../expression-text.ts';
import { quotedName } from '../quoted-name.ts';
import type { Path } from '../read-yaml.ts';
import { fieldTypeOf } from '../sql-field-type.ts';
import { READ_KEYS, type WrenColumn, type WrenModel } from './wren-file.ts';
import { type Losses, type Origin, type Part, standingOf } from './wren-parts.ts';

/** Rules of access have to be set up anew: nothing else keeps the rows from who may not see them. */
const ACCESS = /access_controls?$/;

/** A model as a dataset over its table or query, or undefined with a loss. */
export function readModel({ content: model, origin }: Part<WrenModel>, losses: Losses): Dataset | undefined {
  const entry = `dataset ${model.name}`;
  const source = sourceOf(model);
  if (source === undefined) {
    losses.lose(
      origin,
      ['name'],
      entry,
      'It stands on no table and no query of its own (`table_reference`, `ref_sql`).',
    );
    return undefined;
  }
  loseAccess(model, origin, [], entry, losses);
  losses.loseUnread(origin, [], withoutAccess(model), READ_KEYS.model, entry);
  const columns = model.columns ?? [];
  const isPrimary = columns.filter((column) => column.is_primary_key === true).map(({ name }) => name);
  const joins = new Set(columns.filter((column) => column.relationship).map(({ name }) => name.toLowerCase()));
  const key = (names: string | readonly string[]): string[] =>
    (typeof names === 'string' ? [names] : names).map((name) => columnOf(columns, name));
  const { label, ...described } = readProperties(model.properties, origin, ['properties'], entry, losses);
  if (label !== undefined) losses.lose(origin, ['properties'], `${entry}: display name`, 'Datasets have no label.');
  return {
    name: model.name,
    source,
    primaryKey: key(model.primary_key ?? isPrimary),
    uniqueKeys: (model.unique_keys ?? []).map(key),
    ...described,
    fields: columns.flatMap((column, at) => readColumn(column, at, joins, { model: model.name, origin, losses })),
    extensions: [],
    standing: standingOf(origin),
  };
}

/** The column of the source that a column of a model stands for. */
export function columnOf(columns: readonly WrenColumn[], name: string): string {
  const found = columns.find((column) => sameName(column.name, name));
  return found?.expression && isName(found.expression) ? plainName(found.expression.trim()) : (found?.name ?? name);
}

function sourceOf(model: WrenModel): string | undefined {
  if (model.ref_sql?.trim()) return model.ref_sql.trim().replace(/;$/, '');
  const table = model.table_reference;
  if (!table) return undefined;
  return [table.catalog, table.schema, table.table].flatMap((part) => (part ? [quotedName(part)] : [])).join('.');
}

interface ColumnContext {
  readonly model: string;
  readonly origin: Origin;
  readonly losses: Losses;
}

function readColumn(column: WrenColumn, at: number, joins: ReadonlySet<string>, context: ColumnContext): Field[] {
  const { model, origin, losses } = context;
  const path = ['columns', at];
  // It stands for a join, which is read with the relationships.
  if (column.relationship) return [];
  const entry = `field ${model}.${column.name}`;
  const expression = column.expression?.trim() || quotedName(column.name);
  const first = /^\s*"?(\w+)"?\s*\./.exec(expression)?.[1] ?? /[(,]\s*"?(\w+)"?\s*\.\s*"?\w/.exec(expression)?.[1];
  if (first !== undefined && joins.has(first.toLowerCase())) {
    losses.lose(
      origin,
      [...path, 'expression'],
      entry,
      'It reads another model over a join. Make a metric of it, or a view.',
    );
    return [];
  }
  loseAccess(column, origin, path, entry, losses);
  losses.loseUnread(origin, path, withoutAccess(column), READ_KEYS.column, entry);
  const type = column.type ? fieldTypeOf(column.type) : undefined;
  const isTime = type === 'Date' || type === 'DateTime' || type === 'DateTimeTz';
  return [
    {
      name: column.name,
      expressions: ansi(expression),
      dimension: isTime ? { isTime } : {},
      type,
      ...readProperties(column.properties, origin, [...path, 'properties'], entry, losses),
      values: [],
      isHidden: column.is_hidden === true ? true : undefined,
      extensions: [],
    },
  ];
}

interface Described {
  readonly label?: string;
  readonly description?: string;
  readonly ai?: AiContext;
}

/** `description`, a display name and synonyms; the other properties are lost. */
export function readProperties(
  properties: Readonly<Record<string, unknown>> | null | undefined,
  origin: Origin,
  path: Path,
  entry: string,
  losses: Losses,
): Described {
  const { description, displayName, display_name, synonyms, ...others } = properties ?? {};
  for (const [key, value] of Object.entries(others))
    if (value !== null && value !== undefined && value !== '')
      losses.lose(origin, [...path, key], `${entry}: property ${key}`, 'Nothing here acts by it.');
  const label = displayName ?? display_name;
  const words = typeof synonyms === 'string' ? synonyms.split(/\s*,\s*/) : synonyms;
  const known = Array.isArray(words)
    ? words.filter((word): word is string => typeof word === 'string' && word !== '')
    : [];
  return {
    ...(typeof label === 'string' && label !== '' ? { label } : {}),
    ...(typeof description === 'string' && description !== '' ? { description } : {}),
    ...(known.length > 0 ? { ai: { synonyms: known, examples: [] } } : {}),
  };
}

function loseAccess(holder: object, origin: Origin, path: Path, entry: string, losses: Losses): void {
  for (const [key, value] of Object.entries(holder))
    if (ACCESS.test(key) && value !== null && (!Array.isArray(value) || value.length > 0))
      losses.lose(
        origin,
        [...path, key],
        `${entry}: ${key}`,
        'Nothing here keeps anybody out by it: set `hide`, `mask` or scopes, or rights in the database.',
      );
}

function withoutAccess(holder: object): object {
  return Object.fromEntries(Object.entries(holder).filter(([key]) => !ACCESS.test(key)));
}
