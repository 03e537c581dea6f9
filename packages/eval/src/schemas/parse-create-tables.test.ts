import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseCreateTables } from './parse-create-tables.ts';

it('reads reserved words, hyphens and slashes without quotes, and skips table constraints', () => {
  const { tables, problems } = parseCreateTables(`
    CREATE TABLE Order (
      Group VARCHAR(255), -- the party
      Check DATETIME NOT NULL,
      E-book_ID INTEGER PRIMARY KEY NOT NULL,
      State/Province VARCHAR(255),
      Text VARCHAR(255),
      Size DECIMAL(10, 2),
      Primary BOOL,
      PRIMARY KEY (Group, Check),
      FOREIGN KEY (E-book_ID) REFERENCES E-book(E-book_ID)
    );
    CREATE TABLE Entry/Exit_Records ("Odd "" name" BLOB, Balance null)`);
  expect(problems).toEqual([]);
  expect(tables).toEqual([
    {
      name: 'Order',
      columns: [
        { name: 'Group', type: 'TEXT' },
        { name: 'Check', type: 'DATETIME' },
        { name: 'E-book_ID', type: 'NUMERIC' },
        { name: 'State/Province', type: 'TEXT' },
        { name: 'Text', type: 'TEXT' },
        { name: 'Size', type: undefined },
        { name: 'Primary', type: 'BOOL' },
      ],
    },
    {
      name: 'Entry/Exit_Records',
      columns: [
        { name: 'Odd "" name', type: 'BINARY' },
        { name: 'Balance', type: undefined },
      ],
    },
  ]);
});

it('says what it could not read, and reads the rest', () => {
  const { tables, problems } = parseCreateTables('DROP TABLE x; CREATE TABLE a (b FLOAT; CREATE TABLE c (d BOOL);');
  expect(tables.map(({ name }) => name)).toEqual(['c']);
  expect(problems).toEqual(['No CREATE TABLE: DROP TABLE x', 'Brackets that do not close in table a.']);
});

it('never throws', () => {
  const piece = fc.constantFrom('CREATE', ' TABLE ', 'a', '(', ')', ',', ';', "'", '"', ' INTEGER', 'PRIMARY KEY', ' ');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      parseCreateTables(pieces.join(''));
    }),
  );
});
