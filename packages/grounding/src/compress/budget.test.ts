import type { Catalog } from '@askema/core';
import type { RelationFixture } from '@askema/testkit';
import { backslashDialect, catalogFixture, fixtureDialect, schemaFixture } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { compress } from './compress.ts';
import { type DecodedRelation, decode } from './test-support/decode.ts';

const countTokens = (text: string): number => Math.ceil(text.length / 4);
const created = (text: string): string[] =>
  (text.match(/CREATE TABLE [^(]+/g) ?? []).map((head) => head.slice(13).trim());

const commented = (catalog: Catalog, comments: Readonly<Record<string, string>>): Catalog => ({
  ...catalog,
  attributes: Object.fromEntries(
    Object.entries(catalog.attributes).map(([id, info]) => [id, { ...info, comment: comments[id] }]),
  ),
});

const letters = 'abcdefghijklmnopqrstuvwxyz';
const wide = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `field_${letters[at % 26]}${letters[Math.floor(at / 26)]} TEXT`);

describe('a budget', () => {
  const names = ['invoices', 'employees', 'shipments', 'customers'];
  const plain = catalogFixture(
    schemaFixture(Object.fromEntries(names.map((name) => [name, { attributes: ['id NUMERIC', `${name}_code TEXT`] }]))),
  );
  const catalog = commented(
    plain,
    Object.fromEntries(
      names.map((name) => [`${name}#id`, `${name === 'shipments' ? 'weight in tons' : 'a number'} ${'. '.repeat(60)}`]),
    ),
  );
  const samples = Object.fromEntries(names.map((name) => [`${name}#${name}_code`, ['X1', 'Berlin', 'X3'.repeat(40)]]));
  const at = (share: number, question = 'weight of what went to Berlin') => {
    const whole = countTokens(compress(catalog, { samples }).text);
    return compress(catalog, { samples, question, countTokens, maxTokens: Math.floor(whole * share) });
  };

  it('cuts comments and values first, and keeps those that the question is about', () => {
    const half = at(0.6);
    expect(half).toMatchObject({ omitted: [], omittedAttributes: [] });
    expect(half.text).toContain('-- weight in tons');
    expect(half.text).toContain("'Berlin'");
    const small = at(0.4);
    expect(small).toMatchObject({ omitted: [], omittedAttributes: [] });
    expect(small.text).not.toContain('a number');
    expect(small.text).toMatch(/invoices_code TEXT -- e\.g\. 'Berlin'$/m);
    expect(small.text).toContain('weight in tons');
    expect(at(0.25)).toMatchObject({ omitted: [], omittedAttributes: [] });
    expect(at(0.25).text).not.toContain('Berlin');
  });

  it('shows values that share a word with the question before others', () => {
    expect(at(1.5).text).toContain("e.g. 'Berlin', 'X1'");
    expect(at(1.5, '').text).toContain("e.g. 'X1', 'Berlin'");
  });

  it('takes no letter and no small number for a word of the question', () => {
    const odd = Object.fromEntries(names.map((name) => [`${name}#${name}_code`, ["Stark's 15 parks", 'Berlin']]));
    const whole = countTokens(compress(catalog, { samples: odd }).text);
    const question = "What didn't Ann's 15 friends pay in Berlin?";
    const { text } = compress(catalog, { samples: odd, question, countTokens, maxTokens: Math.floor(whole * 0.4) });
    expect(text).toContain("e.g. 'Berlin'");
    expect(text).not.toContain('Stark');
  });

  it('then names the columns of what it is less about, keys and relevant ones first, and says what is missing', () => {
    const relations: Record<string, RelationFixture> = {
      orders: { attributes: ['id NUMERIC', 'total NUMERIC', ...wide(40)], key: ['id'] },
    };
    for (const name of ['events', 'visits', 'clicks', 'pages', 'mails'])
      relations[name] = {
        attributes: [...wide(200).map((field) => `${name}_${field}`), `order NUMERIC`, `${name}_total NUMERIC`],
        references: ['order > orders: id'],
      };
    const large = catalogFixture(schemaFixture(relations));
    const {
      text,
      omitted,
      omittedAttributes = [],
      tokens,
      expand,
    } = compress(large, {
      maxTokens: 800,
      countTokens,
      question: 'total of all orders',
    });
    expect(tokens).toBeLessThanOrEqual(800);
    const read = decode(text);
    expect([read.get('orders')?.columns.size, read.get('orders')?.columns.get('total')?.type]).toEqual([42, 'NUMERIC']);
    const events = read.get('events');
    expect([...(events?.columns.keys() ?? [])]).toEqual(expect.arrayContaining(['"order"', 'events_total']));
    expect(events?.hidden).toBe(202 - (events?.columns.size ?? 0));
    expect(events?.columns.get('"order"')).toMatchObject({ type: '', constraints: 'REFERENCES orders(id)' });
    expect(text).toMatch(/CREATE TABLE events \( -- \d+ more columns not shown/);
    const hidden = [...read.values()].reduce((sum, relation) => sum + relation.hidden, 0);
    expect(omittedAttributes).toHaveLength(hidden);
    expect(read.size + omitted.length).toBe(6);
    expect(expand('mails')).toContain('mails_field_zb');
  });

  it('takes a family as one, and names what is left out as ranges', () => {
    const days = Array.from({ length: 31 }, (_, day) => `log_201601${String(day + 1).padStart(2, '0')}`);
    const others = Array.from(letters, (letter) => `ot${letter}`);
    const relations = Object.fromEntries(
      [...days, 'stock_2015', 'stock_2016', ...others].map((name) => [
        name,
        { attributes: wide(24).map((field) => `${name.slice(0, 3)}_${field}`) },
      ]),
    );
    const options = { maxTokens: 600, countTokens };
    const { text, omitted } = compress(catalogFixture(schemaFixture(relations)), {
      ...options,
      question: 'What is in stock?',
    });
    expect(decode(text).get('stock_2016')).toMatchObject({ hidden: 0 });
    expect(created(text)).toContain('stock_{2015,2016}');
    expect(omitted.length).toBeGreaterThan(20);
    const logs = compress(catalogFixture(schemaFixture(relations)), { ...options, question: 'ota otb otc otd ote' });
    expect(logs.omitted.filter((id) => id.startsWith('log_'))).toHaveLength(31);
    expect(logs.text).toMatch(/-- \d+ more relations without details: .*log_\{20160101\.\.20160131\}/);
  });

  it('says how many names did not fit either', () => {
    const relations = Object.fromEntries(
      Array.from({ length: 400 }, (_, at) => [
        `${letters[at % 26]}${letters[Math.floor(at / 26)]}_relation`,
        { attributes: ['id NUMERIC'] },
      ]),
    );
    const catalogOfMany = catalogFixture(schemaFixture(relations));
    const { text, omitted, tokens } = compress(catalogOfMany, { maxTokens: 120, countTokens, question: 'zz' });
    const [, count, missing] =
      /-- (\d+) more relations without details.*; (\d+) of them are not named here/.exec(text) ?? [];
    expect(Number(count)).toBe(omitted.length);
    expect(omitted.length - Number(missing)).toBe(text.split(': ').at(-1)?.split(', ').length);
    expect(tokens).toBeLessThanOrEqual(120);
    expect(compress(catalogOfMany, { maxTokens: 16, countTokens }).text).toMatch(
      /^-- 400 more relations without details/,
    );
    expect(compress(catalogOfMany, { maxTokens: 2, countTokens })).toMatchObject({ text: '', tokens: 0 });
  });

  it('weighs documents less than the question', () => {
    const columns = (name: string): string[] => wide(30).map((field) => `${name[0]}_${field}`);
    const three = catalogFixture(
      schemaFixture(
        Object.fromEntries(['alpha', 'beta', 'gamma'].map((name) => [name, { attributes: columns(name) }])),
      ),
    );
    const whole = (question: string, knowledge: string): string[] => {
      const read = decode(compress(three, { maxTokens: 290, countTokens, question, knowledge }).text);
      const isTyped = ({ columns }: DecodedRelation): boolean => [...columns.values()].some(({ type }) => type !== '');
      return [...read.values()].filter(isTyped).map(({ name }) => name);
    };
    expect(whole('beta', 'alpha')).toEqual(['beta']);
    expect(whole('what', 'beta')).toEqual(['beta']);
    expect(whole('what', 'gamma')).toEqual(['gamma']);
  });

  it('holds for 70,000 attributes: nothing is hidden without it, and with it all is accounted for', () => {
    const relations: Record<string, RelationFixture> = {};
    const measures = wide(220);
    for (let year = 0; year < 20; year += 1)
      for (let place = 0; place < 15; place += 1)
        relations[`census.${letters[place]}_place_${2000 + year}_5yr`] = {
          attributes: [
            'geo_id TEXT',
            ...measures.slice(year % 4),
            ...(place % 5 === 0 ? [`only_${letters[place]} TEXT`] : []),
          ],
        };
    for (let at = 0; at < 120; at += 1)
      relations[`shop.${letters[at % 26]}${letters[Math.floor(at / 26)]}_facts`] = {
        attributes: Array.from({ length: 40 }, (_, column) => `c_${letters[column % 26]}_${at}_of_${column} NUMERIC`),
      };
    const catalog = catalogFixture(schemaFixture(relations));
    expect(catalog.schema.attributes.length).toBeGreaterThan(70_000);
    const whole = compress(catalog);
    const read = decode(whole.text);
    expect(whole.omitted).toEqual([]);
    expect([...read.values()].reduce((sum, { columns }) => sum + columns.size, 0)).toBe(
      catalog.schema.attributes.length,
    );
    expect(whole.text.length).toBeLessThan(250_000);
    const cut = compress(catalog, { maxTokens: 4_000, question: 'only_f of place f in 2003' });
    expect(cut.tokens).toBeLessThanOrEqual(4_000);
    expect(cut.omitted).not.toContain('census.f_place_2003_5yr');
    expect(decode(cut.text).size + cut.omitted.length).toBe(420);
  }, 60_000);
});

describe('expand', () => {
  const parts = ['DB.SALES.ORDERS_20160101', 'DB.SALES.ORDERS_20160102', 'DB.SALES.MIXED', 'DB.HR.MIXED'];
  const plain = catalogFixture({ ...schemaFixture({}), relations: [] });
  const withDatabases = (): Catalog => {
    const relations = parts.map((path) => ({ id: path, name: path.split('.')[2] ?? '' }));
    const attributes = parts.map((path) => ({
      id: `${path}#x`,
      relation: path,
      name: `of ${path}`,
      type: 'TEXT' as const,
    }));
    return {
      ...plain,
      nameComparison: 'sensitive',
      schema: { ...plain.schema, relations, attributes },
      relations: Object.fromEntries(
        parts.map((path) => {
          const [database, schema, relation = ''] = path.split('.');
          return [path, { kind: 'table' as const, nameParts: { database, schema, relation } }];
        }),
      ),
      attributes: Object.fromEntries(attributes.map(({ id }) => [id, { position: 1, nativeType: 'TEXT' }])),
    };
  };
  const { expand } = compress(withDatabases(), { dialect: fixtureDialect });

  it.each([
    'DB.SALES.ORDERS_20160102',
    'orders_20160102',
    'sales.Orders_20160102',
    '"DB"."SALES"."ORDERS_20160102"',
    'db.SALES."orders_20160102"',
    '`DB.SALES.ORDERS_20160102`',
  ])('%s', (name) => {
    const dialect = name.startsWith('`') ? backslashDialect : fixtureDialect;
    const described = compress(withDatabases(), { dialect }).expand(name);
    expect(described).toMatch(/^CREATE TABLE .*ORDERS_20160102.* \(\n {2}.of DB\.SALES\.ORDERS_20160102. TEXT\n\);$/);
  });

  it('describes the first of a pattern', () => {
    expect(created(expand('DB.SALES.ORDERS_{20160101,20160102}') ?? '')).toEqual(['DB.SALES.ORDERS_20160101']);
    expect(expand('DB.SALES.ORDERS_{')).toBeUndefined();
    expect(expand('{}{}')).toBeUndefined();
  });

  it('describes all that an ambiguous name fits, and nothing for an unknown one', () => {
    expect(created(expand('mixed') ?? '')).toEqual(['DB.SALES.MIXED', 'DB.HR.MIXED']);
    expect(created(expand('hr.mixed') ?? '')).toEqual(['DB.HR.MIXED']);
    expect(expand('nowhere.mixed')).toBeUndefined();
    expect(expand('')).toBeUndefined();
    expect(expand('"')).toBeUndefined();
  });
});

describe('presets', () => {
  const members = Array.from({ length: 11 }, (_, at) => `log_${2010 + at}`);
  const relations = Object.fromEntries(
    [...members, 'tcga_chr1_hg19', 'tcga_chr1_hg38', 'orders', 'order_lines'].map((name) => [
      name,
      { attributes: ['id NUMERIC', ...(name === 'log_2015' || name === 'tcga_chr1_hg38' ? ['more TEXT'] : [])] },
    ]),
  );
  const catalog = catalogFixture(schemaFixture(relations));

  it('v5 merges what is equal without digits, from eleven on, and hides what differs', () => {
    const { text, omitted, omittedAttributes } = compress(catalog, { preset: 'v5' });
    expect(created(text)).toEqual(['log_2010', 'tcga_chr1_hg19', 'tcga_chr1_hg38', 'orders', 'order_lines']);
    expect(text).toContain(`-- Relations of a similar structure: ${members.slice(1).join(', ')}`);
    expect(omittedAttributes).toEqual(['log_2015#more']);
    expect(omitted).toEqual([]);
  });

  it('paper merges a common beginning or end', () => {
    const { text, omittedAttributes } = compress(catalog, { preset: 'paper' });
    expect(created(text)).toEqual(['log_2010', 'tcga_chr1_hg19', 'orders', 'order_lines']);
    expect(omittedAttributes).toEqual(['log_2015#more', 'tcga_chr1_hg38#more']);
  });

  it('keep a budget too', () => {
    const { text, omitted, tokens } = compress(catalog, {
      preset: 'v5',
      maxTokens: 40,
      countTokens,
      question: 'order lines',
    });
    expect(created(text)).toContain('order_lines');
    expect(tokens).toBeLessThanOrEqual(40);
    expect(omitted).toContain('log_2010');
  });
});
