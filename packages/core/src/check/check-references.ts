import { countOf } from '../explore/profile-relation.ts';
import type { AttributeId, RelationId } from '../schema/schema.ts';
import type { CheckFinding, Inclusion } from './check-finding.ts';
import type { RowsHost } from './check-options.ts';
import { inclusionStatement, missingStatement, type ReferenceNames } from './inclusion-statement.ts';

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
 * Counts how many rows refer to something that is there. Rejects with the errors of the executor, and with `QUERY_TIMEOUT` where no time is left.
 */
export async function measureReference(host: RowsHost, reference: Reference): Promise<Inclusion> {
  const { checked, adapter, maxRows } = host;
  const names = namesOf(host, reference);
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

/** What the rows say of an attribute that is called like a reference. */
export function undeclaredFinding(
  { checked }: RowsHost,
  { relation, from, target, to }: Reference,
  inclusion: Inclusion,
): CheckFinding {
  const { listed, relationName } = checked;
  const share = inclusion.filled === 0 ? 0 : (inclusion.filled - inclusion.missing) / inclusion.filled;
  const isLikely = inclusion.filled > 0 && share >= LIKELY_SHARE;
  const subject = `${listed(from)} of \`${relationName(relation)}\` is called like a reference to \`${relationName(target)}\`.${listed(to)}`;
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

function namesOf({ checked }: RowsHost, { relation, from, target, to }: Reference): ReferenceNames {
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
