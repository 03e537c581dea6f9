import type { Dialect } from '@askema/core';
import { postgresDialect, sqliteDialect } from '@askema/dialects';
import { catalogFixture, type RelationFixture, schemaFixture } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { checkCatalog } from './check-catalog.ts';

/** `code attributes > target` of each finding. */
function check(relations: Readonly<Record<string, RelationFixture>>, parts = {}) {
  return checkCatalog(catalogFixture(schemaFixture(relations), parts), sqliteDialect).map(
    ({ code, severity, relation, attributes, target }) =>
      `${severity} ${code} ${relation}(${attributes.map((id) => id.split('#').at(-1)).join()})${target === undefined ? '' : ` > ${target.relation}`}`,
  );
}

const CUSTOMER = { attributes: ['id NUMERIC not null', 'name TEXT'], key: ['id'] };

describe('checkCatalog', () => {
  it('has nothing to say of tables that declare what they mean', () => {
    expect(
      check({
        customer: CUSTOMER,
        order: {
          attributes: ['id NUMERIC not null', 'customer_id NUMERIC'],
          key: ['id'],
          references: ['customer_id > customer: id'],
        },
      }),
    ).toEqual([]);
  });

  it('finds tables without a key, keys that may be NULL, and keys within keys', () => {
    expect(
      check({
        a: { attributes: ['x NUMERIC', 'y TEXT'] },
        b: { attributes: ['x NUMERIC', 'y TEXT not null'], key: ['x', 'y'], references: ['y > a: y'] },
        c: { attributes: ['x NUMERIC not null unique', 'y TEXT not null'], key: ['x', 'y'], references: ['y > a: y'] },
        d: { attributes: ['x NUMERIC unique', 'y TEXT not null'], references: ['y > a: y'] },
      }).filter((text) => !text.includes('foreign-key')),
    ).toEqual([
      'warning relation-without-key a()',
      'note key-part-nullable b(x)',
      'warning key-holds-key c(x,y)',
      'warning relation-without-key d()',
    ]);
  });

  it('does not call the row number of SQLite nullable', () => {
    const attributes = { 't#id': { position: 1, nativeType: 'INTEGER' } };
    expect(check({ t: { attributes: ['id NUMERIC'], key: ['id'] } }, { attributes })).toEqual([]);
  });

  it('knows from the dialect what an engine allows in a key', () => {
    const attributes = { 't#id': { position: 1, nativeType: 'INTEGER' } };
    const catalog = catalogFixture(schemaFixture({ t: { attributes: ['id NUMERIC'], key: ['id'] } }), { attributes });
    const message = (dialect?: Dialect) => checkCatalog(catalog, dialect).map((finding) => finding.message);
    expect(message(postgresDialect)).toEqual([expect.stringMatching(/may be NULL: two/)]);
    expect(message(undefined)).toEqual(message(postgresDialect));
    const text = { 't#id': { position: 1, nativeType: 'TEXT' } };
    expect(checkCatalog({ ...catalog, attributes: text }, sqliteDialect)[0]?.message).toContain(
      'as SQLite does not forbid it',
    );
  });

  it('finds a key that holds an identifier of its own', () => {
    const key = { attributes: ['id NUMERIC not null', 'name TEXT not null'], key: ['id', 'name'] };
    expect(check({ t: key })).toEqual(['warning key-holds-surrogate t(id,name)']);
    const own = { attributes: ['item_id NUMERIC not null', 'name TEXT not null', 'x TEXT'], key: ['item_id', 'name'] };
    expect(check({ items: own })).toEqual(['warning key-holds-surrogate items(item_id,name)']);
    expect(check({ other: own })).toEqual([]);
  });

  it('finds foreign keys to no key, of other types, repeated, and to nothing', () => {
    const found = check(
      {
        customer: CUSTOMER,
        bill: {
          attributes: ['id NUMERIC not null', 'a TEXT', 'b TEXT', 'c NUMERIC', 'd NUMERIC', 'e NUMERIC'],
          key: ['id'],
          references: ['a > customer: name', 'b > customer: id', 'c, d > pair: x, y', 'd, c > pair: y, x'],
        },
        pair: { attributes: ['x NUMERIC not null', 'y NUMERIC not null'], key: ['x', 'y'] },
      },
      {
        incomplete: [
          {
            subject: 'bill',
            reason: 'foreign key (e) to gone: its target does not exist',
            foreignKey: { attributes: ['e'], target: 'gone' },
          },
          { subject: 'pair', reason: 'something else' },
        ],
      },
    );
    expect(found).toEqual([
      'error foreign-key-without-target bill(e)',
      'error foreign-key-to-no-key bill(a) > customer',
      'warning foreign-key-type-mismatch bill(b) > customer',
      'warning foreign-key-repeated bill(d,c) > pair',
    ]);
  });

  it.each([
    ['customer_id NUMERIC', 'customers', 'id'],
    ['CustomerID NUMERIC', 'Customer', 'ID'],
    ['billing_customer_id NUMERIC', 'customer', 'customer_id'],
    ['customer NUMERIC', 'customers', 'uid'],
    ['custno NUMERIC', 'clients', 'custno'],
    ['customerid NUMERIC', 'customers', 'id'],
  ])('takes %s for a reference to %s.%s', (attribute, target, key) => {
    const found = check({
      [target]: { attributes: [`${key} NUMERIC not null`, 'x TEXT'], key: [key] },
      sale: { attributes: ['sale_no NUMERIC not null', attribute], key: ['sale_no'] },
    });
    expect(found).toEqual([
      expect.stringMatching(`^note reference-undeclared sale\\(.*\\) > ${target.toLowerCase()}$`),
    ]);
  });

  it('takes for no reference: other types, names of both own keys, plain words, keys of several attributes', () => {
    const found = check({
      customer: { attributes: ['id NUMERIC not null', 'name TEXT'], key: ['id'] },
      a: {
        attributes: ['id NUMERIC not null', 'customer_id TEXT', 'customer_name NUMERIC', 'idle NUMERIC'],
        key: ['id'],
      },
      b: { attributes: ['a_b NUMERIC not null', 'c NUMERIC not null'], key: ['a_b', 'c'] },
      student: { attributes: ['student_id NUMERIC not null'], key: ['student_id'] },
      student_detail: { attributes: ['student_id NUMERIC not null'], key: ['student_id'] },
    });
    expect(found.filter((text) => text.includes('reference'))).toEqual([
      'note reference-undeclared student_detail(student_id) > student',
    ]);
  });

  it('notes tables that nothing connects', () => {
    expect(check({ customer: CUSTOMER, log: { attributes: ['at DATETIME not null'], key: ['at'] } })).toEqual([
      'note relation-isolated customer()',
      'note relation-isolated log()',
    ]);
  });

  it('is not misled by hostile names', () => {
    const name = '`; DROP TABLE x; -- \u001b[2J';
    const found = checkCatalog(catalogFixture(schemaFixture({ [name]: { attributes: ['__proto__ TEXT'] } })));
    expect(found.map(({ code }) => code)).toEqual(['relation-without-key']);
    const long = `${'a'.repeat(5_000)}_id`;
    expect(() => check({ t: { attributes: [`${long} NUMERIC`] }, u: CUSTOMER })).not.toThrow();
  });
});
