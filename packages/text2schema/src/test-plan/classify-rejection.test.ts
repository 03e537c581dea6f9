import { AskemaError, attributeId, relationId } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { expect, test } from 'vitest';
import { classifyRejection } from './classify-rejection.ts';
import { compileGround } from './compile-ground.ts';
import { designFixture } from './run-fixture.ts';
import { insertStatement } from './statement.ts';

const ground = compileGround(
  designFixture({ t: { attributes: ['id NUMERIC', 'id 2 NUMERIC', 'mail unique'], key: ['id'] } }),
  sqliteDialect,
);
const relation = relationId(['t']);
const statement = insertStatement(ground, relation, new Map([[attributeId(relation, 'mail'), 'x']]));

/** Messages of SQLite as it writes them; of the others as their documentation has them. */
test.each([
  [
    'SQLITE_CONSTRAINT_PRIMARYKEY',
    'SQLite refused the statement: UNIQUE constraint failed: t.id.',
    ['entity integrity', 'unique'],
  ],
  ['SQLITE_CONSTRAINT_UNIQUE', 'SQLite refused the statement: UNIQUE constraint failed: t.mail.', ['unique']],
  [
    'SQLITE_CONSTRAINT_NOTNULL',
    'SQLite refused the statement: NOT NULL constraint failed: t.id.',
    ['entity integrity', 'not null'],
  ],
  ['SQLITE_CONSTRAINT_NOTNULL', 'SQLite refused the statement: NOT NULL constraint failed: t.id 2.', ['not null']],
  [
    'SQLITE_CONSTRAINT_FOREIGNKEY',
    'SQLite refused the statement: FOREIGN KEY constraint failed.',
    ['referential integrity'],
  ],
  ['23505', 'duplicate key value violates unique constraint "t_pkey"', ['entity integrity', 'unique']],
  ['23505', 'duplicate key value violates unique constraint "t_mail_key"', ['unique']],
  ['23502', 'null value in column "id" of relation "t" violates not-null constraint', ['entity integrity', 'not null']],
  ['23503', 'insert or update on table "t" violates foreign key constraint "t_id_fkey"', ['referential integrity']],
  ['1062', "Duplicate entry '1' for key 't.PRIMARY'", ['entity integrity', 'unique']],
  ['1062', "Duplicate entry 'x' for key 't.mail'", ['unique']],
  ['1048', "Column 'id' cannot be null", ['entity integrity', 'not null']],
  ['1452', 'Cannot add or update a child row: a foreign key constraint fails', ['referential integrity']],
  [
    undefined,
    'Constraint Error: Duplicate key "id: 1" violates primary key constraint.',
    ['entity integrity', 'unique'],
  ],
  [undefined, 'Constraint Error: NOT NULL constraint failed: t.id', ['entity integrity', 'not null']],
  [
    undefined,
    'Constraint Error: Violates foreign key constraint because key "id: 1" does not exist',
    ['referential integrity'],
  ],
])('%s %s', (vendorCode, message, by) => {
  const error = new AskemaError('QUERY_FAILED', message, { details: { vendorCode, errorClass: 'constraint' } });
  expect(classifyRejection(ground, statement, error)?.by).toEqual(by);
});

test('data types are named as such; a broken foreign key and other errors are no refusal', () => {
  const classify = (message: string, errorClass: 'type' | 'constraint' | 'syntax') =>
    classifyRejection(ground, statement, new AskemaError('QUERY_FAILED', message, { details: { errorClass } }));
  expect(classify('invalid input syntax for type numeric', 'type')).toEqual({ by: [], other: 'its data type' });
  expect(classify('CHECK constraint failed: x', 'constraint')).toEqual({ by: [], other: 'another constraint' });
  expect(classify('foreign key mismatch - "a" referencing "b"', 'constraint')).toBeUndefined();
  expect(classify('near "x": syntax error', 'syntax')).toBeUndefined();
});
