import {
  type AdapterSpec,
  AskemaError,
  attributeId,
  type Catalog,
  finishCatalog,
  relationId,
  type ValueIndex,
  type ValueMatch,
} from '@askema/core';
import { catalogFixture, schemaFixture } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { createText2Sql } from '../create-text2sql.ts';
import { scriptedAdapter, shopCatalog } from '../fixtures/scripted-adapter.ts';
import { scriptedSolver } from '../fixtures/scripted-solver.ts';
import type { AskOptions, Text2SqlOptions } from '../text2sql-options.ts';

const name = attributeId(relationId(['customer']), 'name');
const rows = () => [[1]];

/** The input of the generate task, as the solver saw it. */
async function seen(options: Partial<Text2SqlOptions>, catalog: Catalog = shopCatalog(), ask: AskOptions = {}) {
  const model = scriptedSolver(['SELECT 1'], { needs: options.linkValues ? ['values'] : undefined });
  const adapter = scriptedAdapter(rows, { catalog });
  const outcome = await createText2Sql({ adapter, model, ...options }).ask('Who is Ann?', ask);
  const input = model.asked[0]?.input as { schemaText: string; values: readonly ValueMatch[] } | undefined;
  return { outcome, schemaText: input?.schemaText ?? '', values: input?.values ?? [], adapter };
}

describe('GetSchema', () => {
  it('shows samples when they are asked for, and none otherwise', async () => {
    expect((await seen({ sampleValues: 3 })).schemaText).toContain("e.g. 'Ann', 'Bob'");
    expect((await seen({ sampleValues: 0 })).schemaText).not.toContain('Ann');
  });

  it('leaves out samples that tell nothing about spelling, and draws each attribute once', async () => {
    let draws = 0;
    const adapter = scriptedAdapter(rows, { samples: ['short', 'x'.repeat(61), new Uint8Array([1])] });
    const { sampleValues } = adapter;
    const counting: AdapterSpec = {
      ...adapter,
      sampleValues: async (attributes, options) => {
        draws += 1;
        expect(attributes).toEqual([name]);
        return (await sampleValues?.(attributes, options)) ?? {};
      },
    };
    const model = scriptedSolver(['SELECT 1', 'SELECT 1']);
    const text2sql = createText2Sql({ adapter: counting, model });
    await Promise.all([text2sql.ask('a?'), text2sql.ask('b?')]);
    expect(draws).toBe(1);
    for (const { input } of model.asked)
      expect((input as { schemaText: string }).schemaText).toMatch(/e\.g\. 'short'$/m);
  });

  it('goes on without samples when they cannot be drawn, and tries again with the next question', async () => {
    let draws = 0;
    const adapter: AdapterSpec = {
      ...scriptedAdapter(rows),
      sampleValues: async () => {
        draws += 1;
        if (draws === 1) throw new AskemaError('QUERY_FAILED', 'no permission');
        return { [name]: ['Ann'] };
      },
    };
    const model = scriptedSolver(['SELECT 1', 'SELECT 1']);
    const text2sql = createText2Sql({ adapter, model });
    expect(await text2sql.ask('a?')).toMatchObject({
      type: 'answered',
      warnings: [expect.stringContaining('no permission')],
    });
    expect(await text2sql.ask('b?')).toMatchObject({ type: 'answered', warnings: [] });
    expect(model.asked[1]?.input).toMatchObject({ schemaText: expect.stringContaining("'Ann'") });
  });

  it('never lets samples push a relation out of the token budget', async () => {
    const bare = await seen({ sampleValues: 0 });
    const tokens = Math.ceil(bare.schemaText.length / 4);
    const countTokens = (text: string) => Math.ceil(text.length / 4);
    const tight = await seen({ sampleValues: 3, maxSchemaTokens: tokens, countTokens });
    expect(tight.schemaText).toBe(bare.schemaText);
    expect(tight.outcome.warnings).toEqual([]);
  });

  it('keeps, under a budget, what definitions and documents speak of', async () => {
    const names = Array.from(
      { length: 40 },
      (_, position) => `topic_${String.fromCharCode(97 + (position % 26))}${position}`,
    );
    const relations = [...names, 'ledger'].map((relation) => ({ id: relationId([relation]), name: relation }));
    const attributes = relations.map(({ id }) => ({
      id: attributeId(id, 'x'),
      relation: id,
      name: 'x',
      type: 'TEXT' as const,
    }));
    const shop = shopCatalog();
    const catalog = finishCatalog({
      ...shop,
      schema: { ...shop.schema, relations, attributes, primaryKeys: [], foreignKeys: [], domainConstraints: [] },
      relations: Object.fromEntries(
        relations.map(({ id, name: relation }) => [id, { kind: 'table' as const, nameParts: { relation } }]),
      ),
      attributes: Object.fromEntries(attributes.map(({ id }) => [id, { nativeType: 'TEXT', position: 1 }])),
    });
    const options = { sampleValues: 0, maxSchemaTokens: 60 };
    const shown = async (ask: AskOptions) =>
      (await seen(options, catalog, ask)).schemaText.includes('CREATE TABLE ledger');
    expect(await shown({})).toBe(false);
    expect(await shown({ evidence: 'Ann is whoever the ledger names.' })).toBe(true);
    expect(await shown({ documents: [{ name: 'terms.md', text: 'Ann: see the ledger.' }] })).toBe(true);
  });

  it('warns when relations are left out, when the catalog has gaps, and when there is nothing to ask', async () => {
    const cut = await seen({ maxSchemaTokens: 10 });
    expect(cut.outcome.warnings).toEqual([expect.stringContaining('leaves out 1 of 1 relations')]);
    const gaps = await seen({}, { ...shopCatalog(), incomplete: [{ subject: 'secret', reason: 'no permission' }] });
    expect(gaps.outcome.warnings).toEqual([expect.stringContaining('secret (no permission)')]);
    const slow = { subject: 'catalog', reason: 'rows could not be counted', affects: 'counts' as const };
    const counted = await seen({}, { ...shopCatalog(), incomplete: [slow] });
    expect([counted.outcome.warnings, counted.schemaText.includes('Not read')]).toEqual([[], false]);
    const nothing = shopCatalog();
    const empty = { ...nothing, schema: { ...nothing.schema, relations: [], attributes: [], primaryKeys: [] } };
    expect((await seen({}, empty)).outcome.warnings).toEqual([expect.stringContaining('no relation')]);
  });

  it('looks words up where values may be shown, each piece by itself, in the index that is given', async () => {
    const match: ValueMatch = { mention: 'Ann', attribute: name, value: 'Ann', score: 1 };
    const asked: string[] = [];
    const valueIndex: ValueIndex = {
      async find({ text }) {
        asked.push(text);
        return [match];
      },
      close: async () => undefined,
    };
    expect((await seen({ valueIndex, sampleValues: 0 })).values).toEqual([]);
    expect((await seen({ valueIndex, linkValues: false })).values).toEqual([]);
    expect(asked).toEqual([]);
    expect((await seen({ valueIndex })).values).toEqual([match]);
    expect(asked).toEqual(['Ann', 'is Ann', 'Who is Ann']);
  });

  it('asks the database where there is no index, and goes on with a warning when that fails', async () => {
    const failing: ValueIndex = {
      find: async () => {
        throw new AskemaError('INTERNAL', 'index is broken');
      },
      close: async () => undefined,
    };
    const broken = await seen({ valueIndex: failing, linkValues: true });
    expect(broken.outcome).toMatchObject({ type: 'answered', warnings: [expect.stringContaining('index is broken')] });
    const { adapter, outcome } = await seen({ linkValues: true });
    expect(adapter.sent.length).toBeGreaterThan(1);
    expect(outcome.executions).toBe(1);
  });

  it('looks for keys that nobody declared, once for a catalog, and not where that is switched off', async () => {
    const relations = {
      customer: { attributes: ['id NUMERIC'], key: ['id'] },
      orders: { attributes: ['customer_id NUMERIC'] },
    };
    const catalog = catalogFixture(schemaFixture(relations));
    const sent: string[] = [];
    const adapter = scriptedAdapter(
      (sql) => {
        sent.push(sql);
        return [[10, 10, 0]];
      },
      { catalog },
    );
    const model = scriptedSolver(['SELECT 1', 'SELECT 1']);
    const text2sql = createText2Sql({ adapter, model, sampleValues: 0 });
    for (const question of ['a?', 'b?']) await text2sql.ask(question);
    expect(sent.filter((sql) => sql.includes('customer_id'))).toHaveLength(1);
    for (const { input } of model.asked)
      expect((input as { schemaText: string }).schemaText).toMatch(
        /\(customer_id\) REFERENCES customer\(id\).*inferred: 100 % of 10 values match/,
      );
    const { schemaText } = await seen({ inferKeys: false, sampleValues: 0 }, catalog);
    expect(schemaText).not.toContain('REFERENCES');
  });

  it('reads the catalog once for many questions, also at the same time, and again when told to', async () => {
    const adapter = scriptedAdapter(rows);
    const text2sql = createText2Sql({ adapter, model: scriptedSolver(Array(5).fill('SELECT 1')) });
    await Promise.all([text2sql.ask('a?'), text2sql.ask('b?'), text2sql.ask('c?')]);
    await text2sql.ask('d?');
    expect(adapter.introspections).toBe(1);
    await text2sql.ask('e?', { refreshCatalog: true });
    expect(adapter.introspections).toBe(2);
  });

  it('a question that is stopped while the catalog is read does not stop the others', async () => {
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const spec = scriptedAdapter(rows);
    const adapter = {
      ...spec,
      introspector: {
        introspect: async () => {
          await gate;
          return shopCatalog();
        },
      },
    };
    const text2sql = createText2Sql({ adapter, model: scriptedSolver(['SELECT 1']) });
    const controller = new AbortController();
    const stopped = text2sql.ask('a?', { signal: controller.signal });
    const other = text2sql.ask('b?');
    controller.abort();
    expect(await stopped).toMatchObject({ type: 'cancelled' });
    letGo();
    expect(await other).toMatchObject({ type: 'answered' });
  });

  it('reads again after a failure', async () => {
    const spec = scriptedAdapter(rows);
    let failures = 1;
    const adapter = {
      ...spec,
      introspector: {
        introspect: async () => {
          failures -= 1;
          if (failures >= 0) throw new AskemaError('DATABASE_UNAVAILABLE', 'not now');
          return shopCatalog();
        },
      },
    };
    const text2sql = createText2Sql({ adapter, model: scriptedSolver(['SELECT 1']) });
    expect(await text2sql.ask('a?')).toMatchObject({ type: 'failed', error: { code: 'DATABASE_UNAVAILABLE' } });
    expect(await text2sql.ask('a?')).toMatchObject({ type: 'answered' });
  });
});
