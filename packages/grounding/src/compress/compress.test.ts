import type { AttributeInfo, Catalog, RelationInfo } from '@askema/core';
import { countTokensRoughly } from '@askema/core';
import { catalogFixture, schemaFixture } from '@askema/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../scripts/testing/any-character.ts';
import { compress } from './compress.ts';

const shop = schemaFixture({
  customers: { attributes: ['id NUMERIC not null', 'name TEXT not null', 'email TEXT unique'], key: ['id'] },
  order: {
    attributes: ['id NUMERIC', 'Ship Date DATETIME', 'customer NUMERIC not null', 'payer NUMERIC'],
    key: ['id'],
    references: ['customer > customers: id', 'payer > customers: id'],
  },
  lines: {
    attributes: ['order NUMERIC', 'line NUMERIC', 'parent NUMERIC'],
    key: ['order', 'line'],
    references: ['order > order: id', 'order, parent > lines: order, line'],
  },
  totals: { attributes: ['customer NUMERIC', 'total NUMERIC'] },
});

describe('compress', () => {
  it('renders relations, types, keys, constraints, views and comments', () => {
    const plain = catalogFixture(shop);
    const catalog: Catalog = {
      ...plain,
      relations: {
        ...plain.relations,
        totals: { nameParts: { relation: 'totals' }, kind: 'view' },
        customers: { nameParts: { relation: 'customers' }, kind: 'table', comment: 'People who\n  bought' },
      },
      attributes: {
        ...plain.attributes,
        'totals#total': { position: 2, nativeType: 'DECIMAL(10, 2)', generated: 'virtual', comment: 'in euro' },
      },
      uniqueKeys: [{ relation: 'lines', attributes: ['lines#line', 'lines#parent'] }],
      checks: [{ relation: 'lines', expression: 'line > 0' }],
      keyStanding: { 'order(payer)>customers(id)': 'inferred' },
      incomplete: [{ subject: 'audit', reason: 'permission denied' }],
    };
    const samples = { 'customers#name': ['Ada', null, "O'Neill"], 'order#id': [12n, 1.5] };
    const { text, tokens, omitted } = compress(catalog, { samples });
    expect(text).toMatchInlineSnapshot(`
      "CREATE TABLE customers ( -- People who bought
        id NUMERIC PRIMARY KEY,
        name TEXT NOT NULL, -- e.g. 'Ada', 'O''Neill'; some NULL
        email TEXT UNIQUE
      );

      CREATE TABLE "order" (
        id NUMERIC PRIMARY KEY, -- e.g. 12, 1.5
        "Ship Date" DATETIME,
        customer NUMERIC NOT NULL REFERENCES customers(id),
        payer NUMERIC,
        FOREIGN KEY (payer) REFERENCES customers(id) -- inferred
      );

      CREATE TABLE lines (
        "order" NUMERIC REFERENCES "order"(id),
        line NUMERIC,
        parent NUMERIC,
        PRIMARY KEY ("order", line),
        UNIQUE (line, parent),
        FOREIGN KEY ("order", parent) REFERENCES lines("order", line),
        CHECK (line > 0)
      );

      CREATE VIEW totals (
        customer NUMERIC,
        total DECIMAL(10, 2) -- in euro; generated
      );

      -- Not read: audit: permission denied"
    `);
    expect(tokens).toBe(countTokensRoughly(text));
    expect(omitted).toEqual([]);
  });

  it('qualifies names, and quotes them as the dialect asks', () => {
    const catalog = catalogFixture(
      schemaFixture({
        'sales.Orders': { attributes: ['id NUMERIC'] },
        'hr.people': { attributes: ['order NUMERIC'], references: ['order > sales.Orders: id'] },
      }),
    );
    expect(compress(catalog).text).toContain('"order" NUMERIC REFERENCES sales.Orders(id)');
    expect(compress({ ...catalog, nameComparison: 'sensitive' }).text).toContain('REFERENCES "sales"."Orders"("id")');
  });

  it('says what warehouses want to know: partitions, nested fields, keys that nobody enforces', () => {
    const plain = catalogFixture(
      schemaFixture({ events: { attributes: ['day DATETIME', 'payload TEXT'], key: ['day'] } }),
    );
    const { text } = compress({
      ...plain,
      relations: {
        events: {
          nameParts: { relation: 'events' },
          kind: 'table',
          partitioning: { attributes: ['events#day'], filterRequired: true, kind: 'partition' },
        },
      },
      attributes: {
        ...plain.attributes,
        'events#payload': {
          position: 2,
          nativeType: 'ARRAY<STRUCT<a STRING>>',
          nestedFields: [{ path: ['[]', 'a'], nativeType: 'STRING', comment: 'the\nname' }],
        },
      },
      keyStanding: { events: 'informational' },
    });
    expect(text.split('\n')).toEqual([
      'CREATE TABLE events ( -- key day (informational); partitioned by day; every query must filter on it',
      '  day DATETIME,',
      '  payload ARRAY<STRUCT<a STRING>>',
      '    -- payload[].a STRING; the name',
      ');',
    ]);
  });

  it('keeps its line structure whatever the database contains', () => {
    const hostile = fc.string({
      unit: fc.oneof(
        fc.constantFrom('\n', '\r', '\u2028', '\u0085', '\0', '\u202e', '"', "'", ';', '--', '*/', ')'),
        fc.string({ unit: anyCharacter, maxLength: 1 }),
      ),
      maxLength: 12,
    });
    fc.assert(
      fc.property(hostile, hostile, hostile, hostile, (name, comment, sample, type) => {
        const plain = catalogFixture({
          relations: [{ id: 'r', name }],
          attributes: [{ id: 'r#a', relation: 'r', name, type: 'TEXT' }],
          primaryKeys: [],
          foreignKeys: [],
          domainConstraints: [],
        });
        const info: RelationInfo = { nameParts: { relation: name, schema: name }, kind: 'table', comment };
        const attribute: AttributeInfo = { position: 1, nativeType: type, comment };
        const catalog = {
          ...plain,
          relations: { r: info },
          attributes: { 'r#a': attribute },
          checks: [{ relation: 'r', expression: comment }],
          incomplete: [{ subject: name, reason: comment }],
        };
        const { text } = compress(catalog, { samples: { 'r#a': [sample] } });
        const lines = text.split(/[\n\r\u2028\u2029\u0085\v\f]/);
        expect(lines).toHaveLength(6);
        expect(lines.map((line) => line.slice(0, 2))).toEqual(['CR', '  ', '  ', ');', '', '--']);
        expect(text).not.toMatch(/[\0\u202e]/);
      }),
      { numRuns: 300 },
    );
  });

  it('cuts long comments and samples', () => {
    const plain = catalogFixture(schemaFixture({ t: { attributes: ['a TEXT', 'b BINARY'] } }));
    const catalog = {
      ...plain,
      relations: { t: { nameParts: { relation: 't' }, kind: 'table' as const, comment: 'c'.repeat(10_000) } },
    };
    const samples = {
      't#a': Array.from({ length: 50 }, (_, index) => `${index}${'s'.repeat(1_000)}`),
      't#b': [new Uint8Array(5_000)],
    };
    expect(compress(catalog, { samples }).text.length).toBeLessThan(700);
  });

  it('expands a relation by name, by qualified name and by id', () => {
    const { expand, text } = compress(catalogFixture(shop));
    expect(text).toContain(expand('CUSTOMERS') ?? 'nothing');
    expect(expand('order')).toMatch(/^CREATE TABLE "order" \(/);
    expect(expand('nothing')).toBeUndefined();
  });
});

describe('compress with a budget', () => {
  const names = ['invoices', 'employees', 'shipments', 'customers', 'warehouses', 'visits'];
  const schema = schemaFixture(
    Object.fromEntries(
      names.map((name) => [
        name,
        {
          attributes: ['id NUMERIC', `${name}_code TEXT`, `notes_on_${name} TEXT`],
          key: ['id'],
          references: name === 'visits' ? ['id > customers: id'] : [],
        },
      ]),
    ),
  );
  const catalog = catalogFixture(schema);

  it('keeps what the question is about and what it is joined with, in the order of the catalog', () => {
    const { text, omitted, tokens, expand } = compress(catalog, {
      maxTokens: 100,
      question: 'How many customers are there?',
    });
    expect(text.match(/CREATE TABLE (\w+)/g)).toEqual(['CREATE TABLE customers', 'CREATE TABLE visits']);
    expect(omitted).toEqual(['invoices', 'employees', 'shipments', 'warehouses']);
    expect(text).toContain('-- 4 more relations without details: invoices, employees, shipments, warehouses');
    expect(tokens).toBeLessThanOrEqual(100);
    expect(expand('invoices')).toContain('invoices_code');
  });

  it('keeps the budget with any way of counting, and loses no relation', () => {
    const counts = [
      (text: string) => text.length,
      (text: string) => text.split(/\s+/).length,
      (text: string) => Math.ceil(text.length / 4) + 3,
      // Longer texts cost more than their parts.
      (text: string) => Math.ceil(text.length ** 1.3 / 20),
    ];
    fc.assert(
      fc.property(
        fc.integer({ min: 120, max: 1_200 }),
        fc.constantFrom(...counts),
        fc.constantFrom(...names),
        (maxTokens, countTokens, question) => {
          const { text, tokens, omitted } = compress(catalog, { maxTokens, countTokens, question });
          expect(tokens).toBe(countTokens(text));
          expect(tokens).toBeLessThanOrEqual(maxTokens);
          const kept = (text.match(/CREATE TABLE (\w+)/g) ?? []).map((match) => match.slice('CREATE TABLE '.length));
          expect([...kept, ...omitted].sort()).toEqual([...names].sort());
        },
      ),
    );
  });

  it('leaves everything out rather than showing half a relation', () => {
    const { text, omitted } = compress(catalog, { maxTokens: 5, question: 'customers' });
    expect(omitted).toHaveLength(6);
    expect(text).not.toContain('CREATE');
  });

  it('leaves a catalog alone that fits', () => {
    expect(compress(catalog, { maxTokens: 10_000 })).toMatchObject({
      omitted: [],
      text: compress(catalog).text,
    });
  });
});
