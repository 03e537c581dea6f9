import type { Catalog } from '@askema/core';
import { attributeId, relationId } from '@askema/core';
import type { RelationFixture } from '@askema/testkit';
import { catalogFixture, schemaFixture } from '@askema/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../scripts/testing/any-character.ts';
import { propertyRuns } from '../../../../scripts/testing/property-runs.ts';
import { compress } from './compress.ts';
import { STANDARD_IDENTIFIERS, STANDARD_LEXER } from './standard-identifiers.ts';
import { decode } from './test-support/decode.ts';
import { differences, expectedRelations } from './test-support/expected-relations.ts';

const dialect = { identifiers: STANDARD_IDENTIFIERS, lexer: STANDARD_LEXER };
const lossOf = (catalog: Catalog): string[] =>
  differences(expectedRelations(catalog, dialect), decode(compress(catalog, { dialect }).text));

const tables = (names: readonly string[], attributes: readonly string[]): Record<string, RelationFixture> =>
  Object.fromEntries(names.map((name) => [name, { attributes }]));

const days = (from: string, count: number): string[] =>
  Array.from({ length: count }, (_, day) =>
    new Date(Date.parse(from) + day * 86_400_000).toISOString().slice(0, 10).replaceAll('-', ''),
  );

const many = (count: number, prefix = 'measure'): string[] =>
  Array.from(
    { length: count },
    (_, at) => `${prefix}_${'abcdefghij'[at % 10]}${'klmnopqrst'[Math.floor(at / 10) % 10]} NUMERIC`,
  );

describe('families', () => {
  it('shows date shards once, every day of them and no day more', () => {
    const names = [...days('2016-08-01', 366), ...days('2017-09-01', 2), '20171231'].map((day) => `ga_sessions_${day}`);
    const catalog = catalogFixture(schemaFixture(tables(names, ['id NUMERIC', 'hits TEXT'])));
    const { text, families } = compress(catalog);
    expect(text.split('\n').slice(2)).toEqual([
      '',
      'CREATE TABLE ga_sessions_{20160801..20170801,20170901,20170902,20171231} ( -- 369 tables',
      '  id NUMERIC,',
      '  hits TEXT',
      ');',
    ]);
    expect(text.split('\n')[0]).toMatch(/^-- \{1\.\.3,7\} inside a name stands for/);
    expect(families).toEqual([{ pattern: 'ga_sessions_*', members: catalog.schema.relations.map(({ id }) => id) }]);
    expect(lossOf(catalog)).toEqual([]);
  });

  it('says of members what they have more and less', () => {
    const common = many(30);
    const catalog = catalogFixture(
      schemaFixture({
        ...tables(['log_2015', 'log_2016', 'log_2018'], common),
        ...tables(['log_2017'], [...common.slice(2), 'extra TEXT', 'measure_ak TEXT']),
      }),
    );
    const { text } = compress(catalog);
    expect(text).toContain('CREATE TABLE log_{2015,2016,2018} ( -- 3 tables');
    expect(text).toContain(
      'CREATE TABLE log_2017 LIKE log_2015 WITHOUT (measure_bk) (\n  extra TEXT,\n  measure_ak TEXT\n);',
    );
    expect(text).toContain('-- LIKE t: the columns of t');
    expect(lossOf(catalog)).toEqual([]);
  });

  it('never merges type tokens, and tells tables of unlike columns apart', () => {
    const names = ['cbsa_2017_1yr', 'cbsa_2018_1yr', 'cbsa_2017_5yr', 'cbsa_2018_5yr', 'tcga_hg19', 'tcga_hg38'];
    const catalog = catalogFixture(
      schemaFixture({ ...tables(names, ['id NUMERIC', 'total NUMERIC']), tcga_chr1: { attributes: ['x TEXT'] } }),
    );
    const { text, families } = compress(catalog);
    expect(text.match(/CREATE TABLE .*/g)).toEqual([
      'CREATE TABLE cbsa_{2017,2018}_1yr ( -- 2 tables',
      'CREATE TABLE cbsa_{2017,2018}_5yr ( -- 2 tables',
      'CREATE TABLE tcga_hg19 (',
      'CREATE TABLE tcga_hg38 (',
      'CREATE TABLE tcga_chr1 (',
    ]);
    expect(families.map(({ pattern }) => pattern)).toEqual(['cbsa_*_1yr', 'cbsa_*_5yr']);
  });

  it('keeps schemas apart, and shares the columns of large tables under any name', () => {
    const wide = many(60);
    const catalog = catalogFixture(
      schemaFixture({
        ...tables(['a.t_2016', 'a.t_2017', 'b.t_2016'], ['id NUMERIC']),
        ...tables(['c.county', 'c.state', 'c.place'], wide),
        'c.zip': { attributes: [...wide.slice(0, 55), 'city TEXT'] },
      }),
    );
    const { text } = compress(catalog);
    expect(text.match(/CREATE TABLE .*/g)).toEqual([
      'CREATE TABLE a.t_{2016,2017} ( -- 2 tables',
      'CREATE TABLE b.t_2016 (',
      'CREATE TABLE c.county, state, place ( -- 3 tables',
      'CREATE TABLE c.zip LIKE c.county WITHOUT (measure_fp, measure_gp, measure_hp, measure_ip, measure_jp) (',
    ]);
    expect(text).toContain('-- Relations listed in one CREATE have the same columns');
    expect(lossOf(catalog)).toEqual([]);
  });

  it('shows tables apart whose keys differ', () => {
    const attributes = ['id NUMERIC', 'customer NUMERIC'];
    const catalog = catalogFixture(
      schemaFixture({
        customers: { attributes: ['id NUMERIC'], key: ['id'] },
        orders_2016: { attributes, key: ['id'], references: ['customer > customers: id'] },
        orders_2017: { attributes, key: ['id'], references: ['customer > customers: id'] },
        orders_2018: { attributes, key: ['id', 'customer'] },
      }),
    );
    const read = decode(compress(catalog).text);
    expect(read.get('orders_2017')?.columns.get('customer')?.constraints).toBe('REFERENCES customers(id)');
    expect(read.get('orders_2016')?.columns.get('id')?.constraints).toBe('PRIMARY KEY');
    expect(read.get('orders_2018')).toMatchObject({ keys: ['PRIMARY KEY (id, customer)'] });
    expect(read.get('orders_2018')?.columns.get('customer')?.constraints).toBe('');
  });

  it('writes runs of columns as ranges where nothing is between them', () => {
    const numbers = [1, 2, 3, 4, 6, 7].map((number) => `b01001_${String(number).padStart(3, '0')} NUMERIC`);
    const catalog = catalogFixture(schemaFixture({ t: { attributes: ['id NUMERIC', ...numbers, 'b01001_008 TEXT'] } }));
    expect(compress(catalog).text).toContain(
      '  b01001_{001..004} NUMERIC,\n  b01001_006 NUMERIC,\n  b01001_007 NUMERIC,\n  b01001_008 TEXT\n',
    );
    expect(lossOf(catalog)).toEqual([]);
  });

  it('takes other brackets where names have braces', () => {
    const catalog = catalogFixture(schemaFixture(tables(['a{1,2}_2016', 'a{1,2}_2017', 'b_1', 'b_2'], ['id NUMERIC'])));
    const { text } = compress(catalog);
    expect(text).toContain('CREATE TABLE "a{1,2}_⟨2016,2017⟩"');
    expect(text).toContain('CREATE TABLE b_⟨1,2⟩');
    expect(lossOf(catalog)).toEqual([]);
  });

  it('shortens long types that stand everywhere, and says so', () => {
    const plain = catalogFixture(schemaFixture({ t: { attributes: many(100) } }));
    const attributes = Object.fromEntries(
      Object.entries(plain.attributes).map(([id, info]) => [id, { ...info, nativeType: 'VARCHAR(16777216)' }]),
    );
    const { text } = compress({ ...plain, attributes });
    expect(text).toContain('-- Types: VARCHAR is VARCHAR(16777216).');
    expect(text).toContain('  measure_ak VARCHAR,\n');
    expect(lossOf({ ...plain, attributes })).toEqual([]);
  });

  it('tells nested fields as paths where the type does not', () => {
    const plain = catalogFixture(schemaFixture({ t_1: { attributes: ['v TEXT'] }, t_2: { attributes: ['v TEXT'] } }));
    const nested = (last: string) => ({
      position: 1,
      nativeType: 'VARIANT',
      nestedFields: [
        { path: ['a'], nativeType: 'STRING' },
        { path: ['items', '[]', last], nativeType: 'NUMBER' },
      ],
    });
    const { text } = compress({
      ...plain,
      attributes: { 't_1#v': nested('price'), 't_2#v': nested('cost') },
    });
    expect(text).toContain('CREATE TABLE t_1 (\n  v VARIANT\n    -- v.a STRING, v.items[].price NUMBER\n);');
    expect(text).toContain('CREATE TABLE t_2 (\n  v VARIANT\n    -- v.a STRING, v.items[].cost NUMBER\n);');
  });
});

const hostileName = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('t_2016', 't_2017', 't_2018', 'T_2019', 'a1', 'a2', 'a3', 'x_09', 'x_10', 'x_9'),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('s_', 'S', 'q '), fc.integer({ min: 0, max: 120 }))
      .map(([text, number]) => text + number),
  },
  {
    weight: 2,
    arbitrary: fc.string({
      unit: fc.constantFrom(
        '{',
        '}',
        '⟨',
        '"',
        '`',
        "'",
        ',',
        '.',
        ' ',
        '(',
        ')',
        ';',
        '-',
        '1',
        '0',
        '9',
        'a',
        'é',
        '𝟙',
        'İ',
        '\n',
      ),
      minLength: 1,
      maxLength: 8,
    }),
  },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, minLength: 1, maxLength: 6 }) },
);
const type = fc.constantFrom('TEXT', 'NUMBER(38,0)', 'ARRAY<STRUCT<a STRING, b INT64>>', 'DOUBLE PRECISION', '');

/** Relations with columns from a small pool, so that many are alike. */
const anyCatalog = fc
  .array(
    fc.record({
      schema: fc.constantFrom(undefined, 's', 'S2'),
      name: hostileName,
      columns: fc.uniqueArray(fc.tuple(hostileName, type), { selector: ([name]) => shown(name), maxLength: 30 }),
    }),
    { maxLength: 12 },
  )
  .chain((relations) => fc.constantFrom('insensitive' as const, 'sensitive' as const).map((c) => ({ c, relations })))
  .map(({ c, relations }) => toCatalog(relations, c));

/** Control characters are shown as escapes, so that two names may look the same: these are left out. */
const shown = (name: string): string => JSON.stringify(name.normalize()).toLowerCase();

function toCatalog(
  relations: readonly { schema: string | undefined; name: string; columns: readonly (readonly [string, string])[] }[],
  nameComparison: 'insensitive' | 'sensitive',
): Catalog {
  const catalog = catalogFixture({
    relations: [],
    attributes: [],
    primaryKeys: [],
    foreignKeys: [],
    domainConstraints: [],
  });
  const parts = { relations: [], attributes: [], relationInfos: {}, attributeInfos: {} } as {
    relations: Catalog['schema']['relations'][number][];
    attributes: Catalog['schema']['attributes'][number][];
    relationInfos: Record<string, Catalog['relations'][string]>;
    attributeInfos: Record<string, Catalog['attributes'][string]>;
  };
  const seen = new Set<string>();
  for (const { schema, name, columns } of relations) {
    const id = relationId(schema === undefined ? [name] : [schema, name], nameComparison);
    if (seen.has(shown(`${schema} ${name}`)) || parts.relationInfos[id] !== undefined) continue;
    seen.add(shown(`${schema} ${name}`));
    parts.relations.push({ id, name });
    parts.relationInfos[id] = { kind: 'table', nameParts: { relation: name, schema } };
    for (const [column, nativeType] of columns) {
      const attribute = attributeId(id, column, nameComparison);
      if (parts.attributeInfos[attribute] !== undefined) continue;
      parts.attributes.push({ id: attribute, relation: id, name: column, type: 'TEXT' });
      parts.attributeInfos[attribute] = { position: 1, nativeType };
    }
  }
  return {
    ...catalog,
    nameComparison,
    schema: { ...catalog.schema, relations: parts.relations, attributes: parts.attributes },
    relations: parts.relationInfos,
    attributes: parts.attributeInfos,
  };
}

const withoutControls = ({ schema }: Catalog): boolean =>
  [...schema.relations, ...schema.attributes].every(({ name }) => !/[\p{C}\p{Z}\\]/u.test(name.replaceAll(' ', '')));

describe('any catalog', () => {
  it('is read back as it was', () => {
    fc.assert(
      fc.property(anyCatalog.filter(withoutControls), (catalog) => {
        expect(lossOf(catalog)).toEqual([]);
      }),
      { numRuns: propertyRuns(120) },
    );
  });

  it('gives the same text each time, and never more than the budget', () => {
    const relationsIn = (text: string): number => decode(text).size;
    fc.assert(
      fc.property(anyCatalog, fc.integer({ min: 0, max: 600 }), hostileName, (catalog, maxTokens, question) => {
        const options = { maxTokens, question, countTokens: (text: string) => Math.ceil(text.length / 3) };
        const first = compress(catalog, options);
        expect(compress(catalog, options).text).toBe(first.text);
        expect(first.tokens).toBeLessThanOrEqual(maxTokens);
        expect(new Set(first.omitted).size).toBe(first.omitted.length);
        const { relations } = catalog.schema;
        if (withoutControls(catalog)) expect(relationsIn(first.text)).toBe(relations.length - first.omitted.length);
        for (const { id } of relations) expect(first.expand(id)).toMatch(/^CREATE TABLE /);
      }),
      { numRuns: propertyRuns(80) },
    );
  });
});
