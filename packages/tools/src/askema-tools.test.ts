import { countTokensRoughly, type JsonSchema } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { describe, expect, it } from 'vitest';
import { askemaTools } from './askema-tools.ts';
import { TOOL_NAMES } from './contract.ts';
import { fakeDatabase } from './fixtures/fake-database.ts';
import { OUTCOMES } from './fixtures/outcomes.ts';
import { toolDefinitions } from './tool-definitions.ts';

const title = 'orders, customers and returns of a shop, since the year 2019';
const design = {
  dialect: sqliteDialect,
  text2schema: { design: () => Promise.reject(new Error('not here')) },
};
const one = (more = {}) => askemaTools({ databases: { shop: { ...fakeDatabase([]), title } }, ...more });
const several = () => askemaTools({ databases: { shop: fakeDatabase([...OUTCOMES]), people: fakeDatabase([]) } });

const isNeeded = (schema: JsonSchema): boolean =>
  ((schema as { readonly required?: readonly string[] }).required ?? []).includes('database');

describe('the list of tools', () => {
  it('has one order, and `design_schema` only where it is asked for', () => {
    expect(one().map(({ name }) => name)).toEqual(TOOL_NAMES.slice(0, 4));
    const all = askemaTools({ databases: { shop: fakeDatabase([]) }, design });
    expect(all.map(({ name }) => name)).toEqual(TOOL_NAMES);
  });

  it('takes at most 900 tokens for one database, and is the same bytes each time', () => {
    for (const more of [{}, { design }]) {
      const list = JSON.stringify({ tools: toolDefinitions(one(more)) });
      expect(countTokensRoughly(list)).toBeLessThanOrEqual(900);
      expect(JSON.stringify({ tools: toolDefinitions(one(more)) })).toBe(list);
    }
  });

  it('says that nothing is changed, and what may be called again', () => {
    const hints = toolDefinitions(askemaTools({ databases: { shop: fakeDatabase([]) }, design }));
    for (const { annotations } of hints)
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
    const again = hints.filter(({ annotations }) => annotations.idempotentHint).map(({ name }) => name);
    expect(again).toEqual(['search_catalog', 'run_sql', 'check_sql']);
  });

  it('asks for a database only where there are several, and names them', () => {
    expect(JSON.stringify(toolDefinitions(one()))).not.toContain('database"');
    for (const { inputSchema } of toolDefinitions(several()))
      expect(inputSchema).toMatchObject({
        properties: { database: { description: 'One of: shop, people' } },
      });
    const needing = toolDefinitions(several()).filter(({ inputSchema }) => isNeeded(inputSchema));
    expect(needing.map(({ name }) => name)).toEqual(['search_catalog', 'run_sql', 'check_sql']);
  });
});

describe('the database of a call', () => {
  const inputs = {
    ask: { question: 'x' },
    search_catalog: {},
    run_sql: { sql: 'SELECT 1' },
    check_sql: { sql: 'SELECT 1' },
  };

  it.each(several().map((tool) => [tool.name, tool] as const))(
    '%s names the nearest of an unknown one',
    async (_, tool) => {
      const input = { ...inputs[tool.name as keyof typeof inputs], database: 'shpo' };
      const reply = await tool.call(input);
      expect(reply.isError).toBe(true);
      expect(reply.structured.error).toMatchObject({
        code: 'INPUT_INVALID',
        message: expect.stringContaining('Did you mean `shop`?'),
        details: { nearestNames: ['shop'] },
      });
    },
  );

  it('is the one that was named', async () => {
    const people = fakeDatabase([...OUTCOMES]);
    const [ask] = askemaTools({ databases: { shop: fakeDatabase([]), people } });
    expect(await ask?.call({ question: 'How many?', database: 'people' })).toMatchObject({ isError: false });
    expect(people.asked).toHaveLength(1);
  });

  it('is not another one where the name of the only one is not known', async () => {
    const shop = fakeDatabase([...OUTCOMES]);
    const [ask] = askemaTools({ databases: { shop } });
    const reply = await ask?.call({ question: 'How many?', database: 'people' });
    expect(reply).toMatchObject({ isError: true, structured: { error: { code: 'INPUT_INVALID' } } });
    expect(shop.asked).toEqual([]);
  });
});

describe('options', () => {
  it.each([
    [{ databases: {} }, /`databases` is empty/],
    [{ databases: { shop: fakeDatabase([], undefined, 'write') } }, /`databases.shop` is opened for writing/],
    [{ maxRows: 0 }, /maxRows/],
    [{ maxCharacters: 100 }, /maxCharacters/],
  ])('refuses %j', (options, message) => {
    const make = () => askemaTools({ databases: { shop: fakeDatabase([]) }, ...options });
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });
});
