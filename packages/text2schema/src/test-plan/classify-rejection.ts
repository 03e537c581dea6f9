import { type AskemaError, type AttributeId, foldName, type RelationId } from '@askema/core';
import type { RefusingConstraint } from '../model/test-plan.ts';
import type { CompileGround } from './compile-ground.ts';
import type { Statement } from './statement.ts';

/** What refused a statement. */
export interface Rejection {
  /**
   * Names of the constraint, the most telling one first: a duplicate of a primary key breaks entity integrity and is
   * not unique. Empty for what is none of the four (a data type, a check).
   */
  readonly by: readonly RefusingConstraint[];
  /** What it was, in words, where `by` is empty. */
  readonly other?: string | undefined;
  /** The attribute that must not be NULL. */
  readonly attribute?: AttributeId | undefined;
}

/** Messages carry values; what names the constraint stands in front. */
const READ_CHARACTERS = 2_000;

/**
 * Which constraint refused a statement, by vendor code and message; undefined for an error that is no refusal of its
 * data. Codes: SQLite (https://sqlite.org/rescode.html), SQLSTATE class 23
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html), MySQL
 * (https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html); words for engines without codes
 * (DuckDB).
 */
export function classifyRejection(
  ground: CompileGround,
  statement: Statement,
  { details, message: whole }: AskemaError,
): Rejection | undefined {
  const message = whole.slice(0, READ_CHARACTERS);
  const code = details.vendorCode ?? '';
  if (isSchemaFault({ message })) return undefined;
  const kind = KINDS.find(({ codes, words }) => codes.includes(code) || words.test(message))?.kind;
  switch (kind) {
    case 'reference':
      return { by: ['referential integrity'] };
    case 'null':
      return nullRejection(ground, statement, message);
    case 'duplicate':
      return { by: duplicateOf(ground, statement.relation, code, message) };
    default:
      if (details.errorClass === 'constraint') return { by: [], other: 'another constraint' };
      return details.errorClass === 'type' || /^22/.test(code) ? { by: [], other: 'its data type' } : undefined;
  }
}

/** A foreign key that refers to no key at all: no row can be written, right or wrong. */
export function isSchemaFault({ message }: Pick<AskemaError, 'message'>): boolean {
  return /foreign key mismatch/i.test(message.slice(0, READ_CHARACTERS));
}

const KINDS: readonly { readonly kind: string; readonly codes: readonly string[]; readonly words: RegExp }[] = [
  {
    kind: 'reference',
    codes: [
      'SQLITE_CONSTRAINT_FOREIGNKEY',
      '23503',
      '23001',
      '1216',
      '1217',
      '1451',
      '1452',
      'ER_NO_REFERENCED_ROW_2',
      'ER_ROW_IS_REFERENCED_2',
    ],
    words: /foreign key constraint/i,
  },
  {
    kind: 'null',
    codes: ['SQLITE_CONSTRAINT_NOTNULL', '23502', '1048', '1364', 'ER_BAD_NULL_ERROR', 'ER_NO_DEFAULT_FOR_FIELD'],
    words: /not[ -]null constraint/i,
  },
  {
    kind: 'duplicate',
    codes: [
      'SQLITE_CONSTRAINT_PRIMARYKEY',
      'SQLITE_CONSTRAINT_UNIQUE',
      'SQLITE_CONSTRAINT_ROWID',
      '23505',
      '1062',
      'ER_DUP_ENTRY',
    ],
    words: /(?:unique|primary key) constraint|duplicate (?:key|entry)/i,
  },
];

/** The longest name in the message among the attributes that the statement leaves NULL. */
function nullRejection(ground: CompileGround, { relation, written }: Statement, message: string): Rejection {
  const text = foldName(message, 'insensitive');
  const [named] = ground.index
    .attributesOf(relation)
    .filter(({ id, name }) => (written.get(id) ?? null) === null && text.includes(foldName(name, 'insensitive')))
    .sort((a, b) => b.name.length - a.name.length);
  const isKey = named !== undefined && keysOf(ground, relation).some((key) => key.includes(named.id));
  return { by: isKey ? ['entity integrity', 'not null'] : ['not null'], attribute: named?.id };
}

function duplicateOf(
  ground: CompileGround,
  relation: RelationId,
  code: string,
  message: string,
): readonly RefusingConstraint[] {
  const isPrimary =
    code === 'SQLITE_CONSTRAINT_PRIMARYKEY' ||
    /primary key constraint|_pkey"|for key '(?:[^']*\.)?primary'/i.test(message);
  if (isPrimary) return ['entity integrity', 'unique'];
  // SQLite lists the attributes; a candidate key identifies a row no less than the primary one.
  const name = ground.index.relation(relation)?.name ?? '';
  const isKey = keysOf(ground, relation).some((key) => {
    const listed = key.map((id) => `${name}.${ground.index.attribute(id)?.name ?? id}`).join(', ');
    return message.includes(`failed: ${listed}`);
  });
  return isKey ? ['entity integrity', 'unique'] : ['unique'];
}

/** The primary key and the candidate keys that the tools found. */
function keysOf({ index, designed }: CompileGround, relation: RelationId): readonly (readonly AttributeId[])[] {
  const attributes = index.attributesOf(relation);
  const candidates = (designed.get(relation)?.candidateKeys ?? []).map((key) =>
    key.flatMap((name) => attributes.find((attribute) => attribute.name === name)?.id ?? []),
  );
  const primary = index.primaryKey(relation)?.attributes;
  return primary === undefined ? candidates : [primary, ...candidates];
}
