import { attributeId, type Catalog, relationId, type Value } from '@askema/core';
import { compress } from '@askema/grounding';
import { describe, expect, it } from 'vitest';
import { shopCatalog } from '../fixtures/scripted-adapter.ts';
import { MAX_SCHEMA_TOKENS, renderSchema } from './render-schema.ts';

/** Relations of one text attribute each. */
function catalogOf(names: readonly string[]): Catalog {
  const relations = names.map((name) => ({ id: relationId([name]), name }));
  const attributes = relations.map(({ id, name }) => ({
    id: attributeId(id, 'place'),
    relation: id,
    name: name.startsWith('log') ? 'place' : `${name}_place`,
    type: 'TEXT' as const,
  }));
  return {
    ...shopCatalog(),
    schema: { relations, attributes, primaryKeys: [], foreignKeys: [], domainConstraints: [] },
    relations: Object.fromEntries(
      relations.map(({ id, name }) => [id, { nameParts: { relation: name }, kind: 'table' }]),
    ),
    attributes: Object.fromEntries(attributes.map(({ id }) => [id, { position: 1, nativeType: 'TEXT' }])),
  };
}

async function render(
  catalog: Catalog,
  question: string,
  values: (id: string) => readonly Value[],
  tokens?: number,
  most = Number.POSITIVE_INFINITY,
  range?: (id: string) => readonly [Value, Value],
) {
  const drawn: string[] = [];
  const samples = async (_: Catalog, ids: readonly string[]) => {
    drawn.push(...ids);
    return Object.fromEntries(ids.map((id) => [id, { ...sampleOf(values(id), most), range: range?.(id) }]));
  };
  const deps = {
    adapter: { compressor: compress },
    catalogs: { samples },
    schemaOptions: { sampleValues: 3, maxSchemaTokens: tokens, countTokens: (text: string) => text.length },
  } as unknown as Parameters<typeof renderSchema>[2];
  const context = {} as Parameters<typeof renderSchema>[3];
  return { drawn, text: (await renderSchema(catalog, { question, knowledge: '' }, deps, context, [])).text };
}

/** As it is drawn of an attribute: cut after `most` values. */
function sampleOf(values: readonly Value[], most: number) {
  const isCut = values.length > most;
  return { values: isCut ? values.slice(0, most) : values, isCut, isWhole: !isCut };
}

describe('renderSchema', () => {
  it('shows all values of an attribute that has few, a few of the others, and what stands in place of a value', async () => {
    const catalog = catalogOf(['state', 'city', 'note']);
    const values = (id: string): readonly Value[] => {
      if (id.startsWith('state')) return ['open', 'closed', 'held', 'lost', '', null];
      return id.startsWith('city') ? ['Rome', 'Oslo', 'Bern', 'Kiev', 'Lima', 'Bonn', 'Cork'] : [null];
    };
    const { text } = await render(catalog, 'Where?', values, undefined, 6);
    expect(text).toContain("state_place TEXT -- one of 'closed', 'held', 'lost', 'open'; some '', NULL\n");
    expect(text).toContain("city_place TEXT -- e.g. 'Rome', 'Oslo', 'Bern'\n");
    expect(text).toContain('note_place TEXT -- some NULL\n');
  });

  it('shows the ends of dates and numbers that have many values, in place of some of them', async () => {
    const plain = catalogOf(['day', 'size', 'code']);
    const types = { day: 'DATETIME', size: 'NUMERIC', code: 'NUMERIC' } as const;
    const attributes = plain.schema.attributes.map((attribute) => ({
      ...attribute,
      type: types[attribute.relation as keyof typeof types],
    }));
    const catalog = { ...plain, schema: { ...plain.schema, attributes } };
    const days = ['2020-03-01', '2021-04-02', '2022-05-03'];
    const values = (id: string): readonly Value[] =>
      id.startsWith('day') ? days : id.startsWith('size') ? [4, 2, 9] : [2, 1];
    const range = (id: string) => (id.startsWith('day') ? (['2019-01-01', '2024-12-31'] as const) : ([1, 80] as const));
    const { text } = await render(catalog, 'When?', values, undefined, 2, range);
    expect(text).toContain("day_place TEXT -- '2019-01-01' to '2024-12-31'\n");
    expect(text).toContain('size_place TEXT -- 1 to 80\n');
    expect(text).toContain('code_place TEXT -- one of 1, 2\n');
  });

  it('samples one member of a family', async () => {
    const { drawn, text } = await render(catalogOf(['log_2015', 'log_2016', 'log_2017', 'city']), 'Where?', () => [
      'Rome',
    ]);
    expect(drawn).toEqual(['log_2015#place', 'city#place']);
    expect(text).toContain("place TEXT -- one of 'Rome'");
  });

  it('of a schema without room, samples a few relations: those that the question is about', async () => {
    const birds = 'stork heron crane robin finch raven eagle goose'.split(' ');
    const names = birds.flatMap((bird) => birds.map((other) => `${bird}_of_${other}`));
    const { drawn, text } = await render(catalogOf(names), 'Where is the raven of goose?', () => ['Rome'], 1_500);
    expect(drawn).toHaveLength(16);
    expect(drawn[0]).toBe('raven_of_goose#place');
    expect(text).toContain("raven_of_goose_place TEXT -- one of 'Rome'");
    expect(text.length).toBeLessThanOrEqual(1_500);
  });

  it('keeps values that the question names when there is no room for all', async () => {
    const names = Array.from(
      { length: 600 },
      (_, at) => `t${String.fromCharCode(97 + (at % 26))}${'x'.repeat(at / 26)}`,
    );
    const last = attributeId(relationId([names.at(-1) ?? '']), 'place');
    const values = (id: string): string[] =>
      id === last ? ['Berlin'] : ['something of fifty characters that nobody asked for'];
    const { text } = await render(catalogOf(names), 'Who lives in Berlin?', values, 1_000_000);
    expect(text).toContain("one of 'Berlin'");
    expect(text.match(/nobody asked/g)?.length ?? 0).toBeLessThan(names.length - 1);
  });

  it('has a budget where nobody sets one, and what fits is the same for every question', async () => {
    const words = ['stork', 'heron', 'crane', 'robin', 'finch', 'raven'];
    const names = (count: number) =>
      Array.from(
        { length: count },
        (_, at) => `${words[at % 6]}_${words[Math.floor(at / 6) % 6]}_${'x'.repeat(at / 36)}`,
      );
    const shown = async (count: number, question: string) =>
      (await render(catalogOf([...names(count), 'zebra']), question, () => [])).text;
    const large = await shown(900, 'Where are zebras?');
    expect(large.length).toBeLessThanOrEqual(MAX_SCHEMA_TOKENS);
    expect(large).toContain('zebra_place');
    expect(await shown(900, 'Where are storks?')).not.toBe(large);
    expect(await shown(50, 'Where are storks?')).toBe(await shown(50, 'Where are zebras?'));
  });
});
