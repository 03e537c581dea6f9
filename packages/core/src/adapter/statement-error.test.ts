import { fixtureDialect } from '@askema/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { offsetAt, positionAt, statementError } from './statement-error.ts';

const SQL = 'SELECT *\r\nFROM "custommer"';
const missing = (name: string) => `object '${name}' does not exist`;

describe('statementError', () => {
  it('carries class, code, place and the nearest names', () => {
    const cause = new Error('driver');
    const error = statementError(fixtureDialect, {
      sql: SQL,
      message: `${missing('shop."custommer"')} `,
      vendorCode: '02000',
      offset: SQL.indexOf('"'),
      names: new Set(['customer', 'product']),
      cause,
    });
    expect(error).toMatchObject({
      code: 'QUERY_FAILED',
      retryable: false,
      cause,
      message:
        'Fixture refused the statement: object \'shop."custommer"\' does not exist (line 2, column 6). Did you mean `customer`?',
      details: {
        sql: SQL,
        vendorCode: '02000',
        errorClass: 'identifier',
        position: { offset: 15, line: 2, column: 6 },
        nearestNames: ['customer'],
      },
    });
  });

  it.each([
    ['SELECT t9.name FROM customer AS c', 't9.name', 't9'],
    ['SELECT c.id FROM customer AS c JOIN visit AS v ON "t9"."id" = v.id', '"t9"."id"', 't9'],
    // PostgreSQL names the qualifier alone.
    ['SELECT t9.name FROM customer AS c', 't9', 't9'],
    ['SELECT t9.name FROM customer AS t9', 't9.name', undefined],
    ['SELECT name FROM shp.customer', 'shp.customer', undefined],
    ['SELECT nam FROM customer', 'nam', undefined],
  ])('says that a qualifier is no relation: %s', (sql, name, qualifier) => {
    const { message, details } = statementError(fixtureDialect, { sql, message: missing(name), names: ['name', 'id'] });
    expect(message.includes(`No relation or alias of the statement is called ${qualifier}.`)).toBe(
      qualifier !== undefined,
    );
    if (qualifier !== undefined) expect(details.nearestNames).toBeUndefined();
  });

  it('says nothing of names where none is meant or none are known', () => {
    const plain = statementError(fixtureDialect, { sql: SQL, message: 'It is broken!', names: ['customer'] });
    expect(plain.message).toBe('Fixture refused the statement: It is broken!');
    expect(plain.details.nearestNames).toBeUndefined();
    const unknown = statementError(fixtureDialect, { sql: SQL, message: missing('x') });
    expect([unknown.details.errorClass, unknown.details.nearestNames]).toEqual(['identifier', undefined]);
    const far = statementError(fixtureDialect, { sql: SQL, message: missing('zzzzzz'), names: ['customer'] });
    expect([far.details.nearestNames, far.message]).toEqual([
      [],
      `Fixture refused the statement: ${missing('zzzzzz')}.`,
    ]);
  });

  it('takes a name with a dot in it for a whole one where only that is like a known one', () => {
    const error = statementError(fixtureDialect, {
      sql: SQL,
      message: missing('dot.tedd'),
      names: ['dot.ted', 'else'],
    });
    expect(error.details.nearestNames).toEqual(['dot.ted']);
  });

  it.each([-1, SQL.length + 1, Number.NaN, 1.5])('leaves out a place outside of the text: %s', (offset) => {
    const error = statementError(fixtureDialect, { sql: SQL, message: 'x', offset });
    expect([error.details.position, error.message]).toEqual([undefined, 'Fixture refused the statement: x.']);
  });
});

describe('positionAt and offsetAt', () => {
  it('count lines by line feeds and columns in UTF-16 code units', () => {
    const sql = "SELECT '🦊'\r\n\nFROM x";
    expect(positionAt(sql, sql.indexOf('FROM'))).toEqual({ offset: 14, line: 3, column: 1 });
    expect(positionAt(sql, 10)).toEqual({ offset: 10, line: 1, column: 11 });
    expect(positionAt('', 0)).toEqual({ offset: 0, line: 1, column: 1 });
  });

  it('stay within the line and the text', () => {
    expect(offsetAt('ab\ncd', 1, 99)).toBe(2);
    expect(offsetAt('ab\ncd', 2, 0)).toBe(3);
    expect(offsetAt('ab\ncd', 2, 99)).toBe(5);
    expect([0, -1, 3, 1.5].map((line) => offsetAt('ab\ncd', line, 1))).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('undo one another', () => {
    const text = fc.array(fc.constantFrom('a', '\n', '\r\n', '🦊', ' ')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.nat(40), (sql, at) => {
        const offset = Math.min(at, sql.length);
        const { line, column } = positionAt(sql, offset);
        expect(offsetAt(sql, line, column)).toBe(offset);
      }),
    );
  });
});
