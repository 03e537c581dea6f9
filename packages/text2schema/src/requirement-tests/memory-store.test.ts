import { attributeId, type DataType, type RelationId, relationId, type Schema } from '@askema/core';
import { describe, expect, it } from 'vitest';
import type { TestValue } from '../model/test-plan.ts';
import { designFixture } from '../test-plan/run-fixture.ts';
import { memoryStore } from './memory-store.ts';

type Cells = Readonly<Record<string, TestValue>>;

const { schema: plain } = designFixture({
  Reader: {
    attributes: ['Reader ID', 'Name', 'Email unique', 'Mentor'],
    key: ['Reader ID'],
    references: ['Mentor > Reader: Reader ID'],
  },
  Copy: { attributes: ['ISBN NUMERIC', 'Copy No NUMERIC', 'Cover BINARY'], key: ['ISBN', 'Copy No'] },
  Loan: {
    attributes: ['Reader ID', 'Lent DATETIME', 'ISBN NUMERIC', 'Copy No NUMERIC', 'Late BOOL'],
    key: ['Reader ID', 'Lent'],
    references: ['Reader ID > Reader: Reader ID', 'ISBN, Copy No > Copy: ISBN, Copy No'],
  },
});
const LIBRARY: Schema = {
  ...plain,
  domainConstraints: [...plain.domainConstraints, { attribute: attributeId('reader', 'Name'), constraint: 'not null' }],
};
const ANN = { 'Reader ID': 'ann', Name: 'Ann', Email: 'ann@x' };
const COPY = { ISBN: 9780306406157, 'Copy No': 1 };
const LOAN = { 'Reader ID': 'ann', Lent: '2026-03-01', ISBN: COPY.ISBN, 'Copy No': 1 };

/** For tests: a library by names. */
function library() {
  const store = memoryStore(LIBRARY);
  const values = (relation: RelationId, cells: Cells) =>
    new Map(Object.entries(cells).map(([name, value]) => [attributeId(relation, name), value]));
  return {
    reset: () => store.reset(),
    insert(name: string, cells: Cells) {
      const relation = relationId([name]);
      return store.insert(relation, values(relation, cells));
    },
    update(name: string, key: Cells, cells: Cells) {
      const relation = relationId([name]);
      return store.update(relation, values(relation, key), values(relation, cells));
    },
  };
}

/** For tests: a library with Ann, a copy and a loan. */
async function lent() {
  const store = library();
  expect(await store.insert('Reader', ANN)).toBeUndefined();
  expect(await store.insert('Copy', COPY)).toBeUndefined();
  expect(await store.insert('Loan', LOAN)).toBeUndefined();
  return store;
}

describe('memoryStore', () => {
  it.each<[string, string, Cells, string]>([
    [
      'a key twice',
      'Reader',
      { ...ANN, Email: null },
      '`Reader` has a row with the primary key `Reader ID` = "ann" already.',
    ],
    [
      'a composite key twice, in other spellings',
      'Loan',
      { ...LOAN, Lent: '2026-03-01T00:00:00Z' },
      '`Loan` has a row with the primary key `Reader ID` = "ann", `Lent` = "2026-03-01T00:00:00Z" already.',
    ],
    ['a part of a key missing', 'Loan', { 'Reader ID': 'ann' }, '`Loan` needs `Lent`, a part of its primary key.'],
    [
      'a part of a key null',
      'Copy',
      { ...COPY, 'Copy No': null },
      '`Copy` needs `Copy No`, a part of its primary key.',
    ],
    ['not null', 'Reader', { 'Reader ID': 'bob' }, '`Reader` needs `Name`, which is not null.'],
    [
      'unique',
      'Reader',
      { ...ANN, 'Reader ID': 'bob' },
      '`Reader` has a row with `Email` = "ann@x" already, and `Email` is unique.',
    ],
    [
      'a target that is not there',
      'Loan',
      { ...LOAN, 'Reader ID': 'bob' },
      '`Loan` refers to `Reader` with `Reader ID` = "bob", but `Reader` has no such row.',
    ],
    [
      'a composite target that is there in parts',
      'Loan',
      { ...LOAN, Lent: '2026-04-01', 'Copy No': 2 },
      '`Loan` refers to `Copy` with `ISBN` = 9780306406157, `Copy No` = 2, but `Copy` has no such row.',
    ],
    ['an attribute of another relation', 'Copy', { ...COPY, Name: 'x' }, '`Copy` has no attribute `copy#name`.'],
    ['a relation that is none', 'Lender', {}, 'There is no relation `lender`.'],
  ])('refuses %s', async (_, relation, cells, message) => {
    const store = await lent();
    expect(await store.insert(relation, cells)).toBe(message);
    expect(await store.insert(relation, cells)).toBe(message);
  });

  it('checks no reference with a null in it, and takes unique nulls, a row that refers to itself, and near numbers', async () => {
    const store = await lent();
    expect(await store.insert('Loan', { ...LOAN, Lent: '2026-04-01', ISBN: 7, 'Copy No': null })).toBeUndefined();
    expect(await store.insert('Reader', { 'Reader ID': 'bob', Name: 'Bob', Mentor: 'bob' })).toBeUndefined();
    expect(await store.insert('Reader', { 'Reader ID': 'eve', Name: 'Eve', Email: null })).toBeUndefined();
    expect(await store.insert('Copy', { ISBN: 9780306406158, 'Copy No': 1 })).toBeUndefined();
  });

  it.each<[DataType, string, string, TestValue, boolean]>([
    ['NUMERIC', 'Loan', 'ISBN', ' 1.5e3 ', true],
    ['NUMERIC', 'Loan', 'ISBN', 'many', false],
    ['NUMERIC', 'Loan', 'ISBN', true, false],
    ['DATETIME', 'Loan', 'Lent', '08:30', true],
    ['DATETIME', 'Loan', 'Lent', 'soon', false],
    ['DATETIME', 'Loan', 'Lent', 2026, false],
    ['BOOL', 'Loan', 'Late', 'False', true],
    ['BOOL', 'Loan', 'Late', 0, true],
    ['BOOL', 'Loan', 'Late', 'maybe', false],
    ['BOOL', 'Loan', 'Late', 2, false],
    ['TEXT', 'Reader', 'Name', 12, true],
    ['BINARY', 'Copy', 'Cover', 'red', true],
    ['BINARY', 'Copy', 'Cover', 12, false],
  ])('%s: %s.%s can hold %j: %j', async (type, relation, attribute, value, holds) => {
    const store = await lent();
    const base: Readonly<Record<string, Cells>> = {
      Loan: { 'Reader ID': 'ann', Lent: '2026-05-01' },
      Reader: { 'Reader ID': 'bob' },
      Copy: { ISBN: 1, 'Copy No': 1 },
    };
    expect(await store.insert(relation, { ...base[relation], [attribute]: value })).toBe(
      holds
        ? undefined
        : `\`${relation}\` cannot hold ${JSON.stringify(value)} as \`${attribute}\`, whose type is ${type}.`,
    );
  });

  it('changes a row under the same checks, and keeps what was there where it refuses', async () => {
    const store = await lent();
    await store.insert('Reader', { 'Reader ID': 'bob', Name: 'Bob' });
    const change = (key: Cells, cells: Cells) => store.update('Reader', key, cells);
    expect(await change({ 'Reader ID': 'bob' }, { Email: 'ann@x' })).toContain('`Email` is unique');
    expect(await change({ 'Reader ID': 'bob' }, { Name: null })).toContain('not null');
    expect(await change({ 'Reader ID': 'bob' }, { 'Reader ID': 'ann' })).toContain('primary key');
    expect(await change({ 'Reader ID': 'bob' }, { Mentor: 'eve' })).toContain('no such row');
    expect(await change({ 'Reader ID': 'eve' }, { Name: 'Eve' })).toBe(
      '`Reader` has no row with `Reader ID` = "eve" to change.',
    );
    expect(await change({ 'Reader ID': 'bob' }, { 'Reader ID': 'eve', Mentor: 'eve' })).toBeUndefined();
    expect(await change({ 'Reader ID': 'bob' }, { Name: 'Bob' })).toContain('no row');
    expect(await change({ 'Reader ID': 'eve' }, { 'Reader ID': 'bob' })).toContain('no such row');
    expect(await store.update('Loan', { 'Reader ID': 'ann', Lent: '2026-03-01' }, { Late: true })).toBeUndefined();
  });

  it('keeps a key to which rows refer, until they are gone', async () => {
    const store = await lent();
    expect(await store.update('Reader', { 'Reader ID': 'ann' }, { 'Reader ID': 'anna' })).toBe(
      'The key of `Reader` cannot change: `Loan` refers to it with `Reader ID` = "ann".',
    );
    expect(await store.update('Copy', COPY, { 'Copy No': 2 })).toContain('`Loan` refers to it');
    expect(await store.update('Reader', { 'Reader ID': 'ann' }, { 'Reader ID': 'ann', Name: 'Anna' })).toBeUndefined();
    expect(await store.update('Loan', { 'Reader ID': 'ann' }, { 'Copy No': null })).toBeUndefined();
    expect(await store.update('Copy', COPY, { 'Copy No': 2 })).toBeUndefined();
    await store.reset();
    expect(await store.insert('Loan', LOAN)).toContain('no such row');
    expect(await store.insert('Reader', ANN)).toBeUndefined();
  });

  it('cuts long values and shows what would hide in a message', async () => {
    const message = await library().insert('Copy', { ISBN: `\u202e${'9'.repeat(100_000)}x`, 'Copy No': 1 });
    expect(message).toContain('\\u{202e}999');
    expect(message?.length).toBeLessThan(150);
  });
});
