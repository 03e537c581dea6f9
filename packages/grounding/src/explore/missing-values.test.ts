import { createCallContext } from '@askema/core';
import { catalogFixture, schemaFixture } from '@askema/testkit';
import { expect, it } from 'vitest';
import { missingValues } from './missing-values.ts';
import { memoryDatabase } from './test-support/memory-database.ts';

const SCRIPT = `
  CREATE TABLE person (name TEXT, mail TEXT, age NUMERIC, note TEXT);
  INSERT INTO person VALUES ('Ann', '', 3, 'x'), ('Bob', NULL, NULL, 'N/A'), ('NULL', 'b@c', 4, 'y');
  CREATE TABLE log (word TEXT);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= 10000) INSERT INTO log SELECT 'w' FROM n;
`;
const catalog = catalogFixture(
  schemaFixture({
    person: { attributes: ['name TEXT', 'mail TEXT', 'age NUMERIC', 'note TEXT'] },
    log: { attributes: ['word TEXT'] },
    gone: { attributes: ['word TEXT'] },
  }),
);
const ids = catalog.schema.attributes.map(({ id }) => id);
const context = createCallContext();

it('tells NULL, an empty text and a placeholder apart, with one statement a relation, and whether all rows were read', async () => {
  const { adapter, sent } = memoryDatabase(SCRIPT);
  expect(await missingValues(adapter, ids, { catalog, timeoutMs: 5_000, context })).toEqual({
    'person#name': { values: ['NULL'], isWhole: true },
    'person#mail': { values: ['', null], isWhole: true },
    'person#age': { values: [null], isWhole: true, range: [3, 4] },
    'person#note': { values: ['N/A'], isWhole: true },
    'log#word': { values: [], isWhole: false },
  });
  expect(sent).toHaveLength(3);
  await adapter.close();
});

it('sends nothing when no time is left, and stops with the signal', async () => {
  const { adapter, sent } = memoryDatabase(SCRIPT);
  expect(await missingValues(adapter, ids, { catalog, timeoutMs: 0, context })).toEqual({});
  const stopped = createCallContext({ signal: AbortSignal.abort() });
  const looking = missingValues(adapter, ids, { catalog, timeoutMs: 5_000, context: stopped });
  await expect(looking).rejects.toMatchObject({ code: 'ABORTED' });
  expect(sent).toEqual([]);
  await adapter.close();
});
