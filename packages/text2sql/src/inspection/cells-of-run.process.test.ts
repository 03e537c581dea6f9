import { type Adapter, createCallContext, type ValueIndex } from '@askema/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Museum, openMuseum } from '../flows/inspect/inspect-fixture.ts';
import { cellsOfRun } from './inspection-tools.ts';

let museum: Museum;

beforeAll(async () => {
  museum = await openMuseum();
}, 60_000);
afterAll(() => museum.close());

it('reads the cells of a column once in a run, however often statements are inspected', async () => {
  const sent: string[] = [];
  const adapter: Adapter = {
    ...museum.adapter,
    query: (sql, options) => {
      sent.push(sql);
      return museum.adapter.query(sql, options);
    },
  };
  const cellsOf = cellsOfRun(adapter, undefined);
  for (const text of ['todd casey', 'ove berg']) {
    const catalog = await museum.adapter.introspect();
    const column = catalog.schema.attributes.find(({ name }) => name === 'framed_by')?.id ?? '';
    const query = { text, attributes: [column], limit: 1, context: createCallContext() };
    expect(await cellsOf(catalog).find(query)).toHaveLength(1);
  }
  expect(sent).toHaveLength(1);
});

it('takes the index that it is given', async () => {
  const given: ValueIndex = { find: async () => [], close: async () => undefined };
  expect(cellsOfRun(museum.adapter, given)(await museum.adapter.introspect())).toBe(given);
});
