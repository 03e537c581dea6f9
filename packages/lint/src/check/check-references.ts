import {
  type AttributeId,
  type Dialect,
  type NameParts,
  qualifiedName,
  quoteIdentifier,
  type RelationId,
} from '@askema/core';
import { boundedSource, countOf } from '@askema/grounding';
import type { CheckFinding, Inclusion } from './check-finding.ts';
import type { RowsHost } from './check-options.ts';

/** A reference, declared or guessed by its name. */
export interface Reference {
  readonly relation: RelationId;
  readonly from: readonly AttributeId[];
  readonly target: RelationId;
  readonly to: readonly AttributeId[];
}

/** Rows that are shown of those whose values are missing. */
const EXAMPLES = 3;

/** From this share of rows on, values that are found make an undeclared reference likely. */
const LIKELY_SHARE = 0.95;

/**
 * Counts how many rows refer to something that is there. Rejects with the errors of the executor, and with
 * `QUERY_TIMEOUT` where no time is left.
 */
export async function measureReference(host: RowsHost, reference: Reference): Promise<Inclusion> {
  const { checked, adapter, maxRows } = host;
  const names = referenceNames(host, reference);
  const counted = await run(host, inclusionStatement(names, adapter.dialect, maxRows), 1);
  const [rows = 0, filled = 0, missing = 0, distinct, distinctMissing] = (counted[0] ?? []).map(countOf);
  const info = checked.catalog.relations[reference.relation];
  const key = checked.index.primaryKey(reference.relation)?.attributes ?? [];
  const shown = [...new Set([...key, ...reference.from])].map((id) => checked.attributeName(id));
  const examples =
    missing === 0
      ? []
      : await run(host, missingStatement(names, shown, adapter.dialect, { maxRows, limit: EXAMPLES }), EXAMPLES);
  return {
    rows,
    filled,
    missing,
    distinct,
    distinctMissing,
    examples: examples.map((row) => shown.map((attribute, at) => ({ attribute, value: row[at] ?? null }))),
    whole: rows < maxRows || (info?.rowCountExact === true && info.rowCount === rows),
  };
}

/** What the rows say of a foreign key: nothing where every value is there. */
export function orphanFinding(
  { checked }: RowsHost,
  { relation, from, target, to }: Reference,
  inclusion: Inclusion,
): readonly CheckFinding[] {
  if (inclusion.missing === 0) return [];
  const { listed, relationName } = checked;
  return [
    {
      code: 'rows-without-target',
      severity: 'error',
      relation,
      attributes: from,
      target: { relation: target, attributes: to },
      message: `${counted(inclusion.missing, 'row')} of \`${relationName(relation)}\` ${inclusion.missing === 1 ? 'refers' : 'refer'} by ${listed(from)} to rows of \`${relationName(target)}\` that do not exist, though a foreign key is declared.`,
      advice: 'Mend these rows, and see that the foreign key is enforced (SQLite: PRAGMA foreign_keys = ON).',
      inclusion,
    },
  ];
}

/** What the rows say of an attribute that is named like a reference. */
export function undeclaredFinding(
  { checked }: RowsHost,
  { relation, from, target, to }: Reference,
  inclusion: Inclusion,
): CheckFinding {
  const { listed, relationName } = checked;
  const share = inclusion.filled === 0 ? 0 : (inclusion.filled - inclusion.missing) / inclusion.filled;
  const isLikely = inclusion.filled > 0 && share >= LIKELY_SHARE;
  const subject = `${listed(from)} of \`${relationName(relation)}\` is named like a reference to \`${relationName(target)}\`.${listed(to)}`;
  return {
    code: 'reference-undeclared',
    severity: isLikely ? 'warning' : 'note',
    relation,
    attributes: from,
    target: { relation: target, attributes: to },
    message:
      inclusion.filled === 0
        ? `${subject}, no foreign key says so, and no row has a value there.`
        : `${subject}; ${found(inclusion)}, and no foreign key says so.`,
    advice: isLikely
      ? `Declare the foreign key${inclusion.missing > 0 ? ', after mending the rows that refer to nothing' : ''}.`
      : inclusion.filled === 0
        ? 'Declare the foreign key if it is one.'
        : 'Too few values are there: it may mean something else, or its target is not whole.',
    inclusion,
  };
}

function found({ filled, missing, distinct = 0, distinctMissing = 0 }: Inclusion): string {
  if (missing === 0) return `all ${counted(distinct, 'different value')} are there`;
  return `the values of ${((100 * (filled - missing)) / filled).toFixed(1)} % of the rows (${distinct - distinctMissing} of ${counted(distinct, 'different value')}) are there`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function referenceNames({ checked }: RowsHost, { relation, from, target, to }: Reference): ReferenceNames {
  const { relations } = checked.catalog;
  return {
    relation: relations[relation]?.nameParts ?? { relation },
    columns: from.map((id) => checked.attributeName(id)),
    target: relations[target]?.nameParts ?? { relation: target },
    targetColumns: to.map((id) => checked.attributeName(id)),
  };
}

async function run({ adapter, context, remainingMs }: RowsHost, sql: string, maxRows: number) {
  const timeoutMs = Math.max(1, Math.floor(remainingMs()));
  const { rows } = await adapter.query(sql, { maxRows, timeoutMs, access: 'read', context });
  return rows;
}

/** A reference by names: `columns[i]` of the one side refers to `targetColumns[i]` of the other. */
interface ReferenceNames {
  readonly relation: NameParts;
  readonly columns: readonly string[];
  readonly target: NameParts;
  readonly targetColumns: readonly string[];
}

/**
 * One row: rows read, rows without a NULL in the reference, and of those the rows whose values are not in the target;
 * for a reference of one column also different values, and those that are not there. At most `maxRows` rows are read of
 * the relation. The target is read whole: only then is a value that was not found really missing.
 */
function inclusionStatement(reference: ReferenceNames, dialect: Dialect, maxRows: number): string {
  const { columns } = reference;
  const child = (at: number): string => `c.${quoteIdentifier(columns[at] ?? '', dialect)}`;
  const filled = columns.map((_, at) => `${child(at)} IS NOT NULL`).join(' AND ');
  const counts = [
    'COUNT(*)',
    `SUM(CASE WHEN ${filled} THEN 1 ELSE 0 END)`,
    `SUM(CASE WHEN ${filled} AND p.k0 IS NULL THEN 1 ELSE 0 END)`,
    ...(columns.length === 1
      ? [`COUNT(DISTINCT ${child(0)})`, `COUNT(DISTINCT CASE WHEN p.k0 IS NULL THEN ${child(0)} END)`]
      : []),
  ];
  return `SELECT ${counts.join(', ')} FROM ${joined(reference, columns, dialect, maxRows)}`;
}

/** Some rows whose values are not in the target, with the given columns. */
function missingStatement(
  reference: ReferenceNames,
  shown: readonly string[],
  dialect: Dialect,
  limits: { readonly maxRows: number; readonly limit: number },
): string {
  const read = [...new Set([...shown, ...reference.columns])];
  const filled = reference.columns.map((name) => `c.${quoteIdentifier(name, dialect)} IS NOT NULL`).join(' AND ');
  const cells = shown.map((name) => `c.${quoteIdentifier(name, dialect)}`).join(', ');
  return `SELECT ${cells} FROM ${joined(reference, read, dialect, limits.maxRows)} WHERE ${filled} AND p.k0 IS NULL LIMIT ${limits.limit}`;
}

function joined(
  { relation, columns, target, targetColumns }: ReferenceNames,
  read: readonly string[],
  dialect: Dialect,
  maxRows: number,
): string {
  const keys = targetColumns.map((name) => quoteIdentifier(name, dialect));
  const parents = `(SELECT DISTINCT ${keys.map((key, at) => `${key} AS k${at}`).join(', ')} FROM ${qualifiedName(target, dialect, 'always')} AS probed WHERE ${keys.map((key) => `${key} IS NOT NULL`).join(' AND ')}) AS p`;
  const on = columns.map((name, at) => `c.${quoteIdentifier(name, dialect)} = p.k${at}`).join(' AND ');
  return `${boundedSource({ dialect, relation, maxRows }, read, 'c')} LEFT JOIN ${parents} ON ${on}`;
}
