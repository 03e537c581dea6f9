import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { requireJudge } from '../../../../servers/require-judge.ts';
import { randomSchema } from '../ddl/random-schema.ts';
import { catalogFromText, schemaFromText } from '../ddl/schema-text-fixture.ts';
import { writeDbml } from './write-dbml.ts';

// A busy machine takes many times what these take alone.
vi.setConfig({ testTimeout: 60_000 });

/** What these tests read of a document. */
interface Document {
  readonly schemas: readonly {
    readonly name: string;
    readonly tables: readonly {
      readonly name: string;
      readonly note: string;
      readonly fields: readonly {
        readonly name: string;
        readonly type: { readonly type_name: string };
        readonly not_null?: boolean;
        readonly unique?: boolean;
        readonly pk?: boolean;
      }[];
      readonly indexes: readonly { readonly pk?: boolean; readonly columns: readonly { readonly value: string }[] }[];
    }[];
    readonly refs: readonly {
      readonly endpoints: readonly {
        readonly tableName: string;
        readonly fieldNames: readonly string[];
        readonly relation: string;
      }[];
    }[];
  }[];
}
const { Parser } = requireJudge<{
  readonly Parser: new () => { parse(dbml: string, format: 'dbmlv2'): Document };
}>('@dbml/core');

/** What DBML's own parser reads. */
function read(dbml: string) {
  const [own] = dbml === '' ? [] : new Parser().parse(dbml, 'dbmlv2').schemas;
  return {
    tables: (own?.tables ?? []).map((table) => ({
      name: table.name,
      columns: table.fields.map(({ name, type, not_null, unique }) => [
        name,
        type.type_name,
        not_null === true,
        unique === true,
      ]),
      key: [
        ...table.fields.filter(({ pk }) => pk).map(({ name }) => name),
        ...table.indexes.filter(({ pk }) => pk).flatMap((index) => index.columns.map(({ value }) => value)),
      ],
    })),
    refs: (own?.refs ?? []).map(({ endpoints }) =>
      endpoints.map(({ tableName, fieldNames, relation }) => [tableName, fieldNames, relation] as const),
    ),
  };
}

describe('writeDbml', () => {
  it('writes tables, keys and references', () => {
    const schema = schemaFromText(`
      customers: id NUMERIC key, email TEXT unique
      orders: id NUMERIC key, customer NUMERIC not null > customers.id
      lines: order NUMERIC key > orders.id, line NUMERIC key
      profiles: customer NUMERIC key > customers.id
    `);
    expect(writeDbml(schema)).toMatchInlineSnapshot(`
      "Table "customers" {
        "id" NUMERIC [pk]
        "email" TEXT [unique]
      }

      Table "orders" {
        "id" NUMERIC [pk]
        "customer" NUMERIC [not null]
      }

      Table "lines" {
        "order" NUMERIC
        "line" NUMERIC

        indexes {
          ("order", "line") [pk]
        }
      }

      Table "profiles" {
        "customer" NUMERIC [pk]
      }

      Ref: "orders"."customer" > "customers"."id"

      Ref: "lines"."order" > "orders"."id"

      Ref: "profiles"."customer" - "customers"."id"
      "
    `);
  });

  it('is read by its own parser as the same schema, whatever the names', () => {
    fc.assert(
      fc.property(randomSchema, (schema) => {
        const dbml = writeDbml(schema);
        const got = read(dbml);
        const nameOf = new Map(
          [...schema.relations, ...schema.attributes].map(({ id, name }) => [id as string, name] as const),
        );
        const has = (attribute: string, constraint: string): boolean =>
          schema.domainConstraints.some((entry) => entry.attribute === attribute && entry.constraint === constraint);
        expect(got.tables).toEqual(
          schema.relations.map(({ id, name }) => ({
            name,
            columns: schema.attributes
              .filter(({ relation }) => relation === id)
              .map((each) => [each.name, each.type, has(each.id, 'not null'), has(each.id, 'unique')]),
            key: (schema.primaryKeys.find(({ relation }) => relation === id)?.attributes ?? []).map((key) =>
              nameOf.get(key),
            ),
          })),
        );
        const leftOut = dbml.match(/^\/\/ left out/gm)?.length ?? 0;
        expect(got.refs.length + leftOut).toBe(schema.foreignKeys.length);
        const written = new Set(
          schema.foreignKeys.map(({ relation, target, pairs }) =>
            JSON.stringify([
              [nameOf.get(relation), pairs.map(({ from }) => nameOf.get(from))],
              [nameOf.get(target), pairs.map(({ to }) => nameOf.get(to))],
            ]),
          ),
        );
        for (const ends of got.refs)
          expect(written).toContain(JSON.stringify(ends.map(([table, fields]) => [table, fields])));
      }),
      { numRuns: 60 },
    );
  });

  it('takes native types, schemas, comments and composite unique keys of a catalog', () => {
    const catalog = catalogFromText('sales/t: a NUMERIC key, b TEXT > gone.id', {
      relations: { 'sales.t': { nameParts: { schema: 'sales', relation: 't' }, kind: 'table', comment: "it's\nhere" } },
      attributes: { 'sales.t#a': { position: 1, nativeType: 'DECIMAL(3, 2)', comment: '"x"' } },
      uniqueKeys: [{ relation: 'sales.t', attributes: ['sales.t#a', 'sales.t#b'] }],
    });
    const dbml = writeDbml(catalog);
    expect(dbml).toMatchInlineSnapshot(`
      "Table "sales"."t" {
        "a" "DECIMAL(3, 2)" [pk, note: '"x"']
        "b" "TEXT"

        indexes {
          ("a", "b") [unique]
        }

        Note: 'it\\'s\\nhere'
      }

      // left out, because its target is not there: "sales"."t"."b" > "gone"."gone#id"
      "
    `);
    const [own] = new Parser().parse(dbml, 'dbmlv2').schemas.filter(({ name }) => name === 'sales');
    expect(own?.tables[0]?.note).toBe("it's\nhere");
  });

  it('leaves out what DBML refuses: the same columns twice, in both directions, and a column that refers to itself', () => {
    const twice = 'Table a { id int }\nTable b { id int }\nRef: a.id > b.id\nRef: b.id > a.id';
    const itself = 'Table a { id int }\nRef: a.id > a.id';
    const permuted = 'Table a { id int\n no int }\nRef: a.(id, no) > a.(no, id)';
    for (const refused of [twice, itself, permuted]) expect(() => new Parser().parse(refused, 'dbmlv2')).toThrow();
    const schema = schemaFromText('a: id NUMERIC key > b.id\n b: id NUMERIC key > a.id\n c: id NUMERIC key > c.id');
    const pair = schemaFromText('p: x NUMERIC, y NUMERIC');
    const turned = {
      ...pair,
      foreignKeys: [
        {
          id: 'p(x,y)>p(y,x)',
          relation: 'p',
          target: 'p',
          pairs: [
            { from: 'p#x', to: 'p#y' },
            { from: 'p#y', to: 'p#x' },
          ],
        },
      ],
    };
    expect(writeDbml(turned)).toContain('// left out');
    const dbml = writeDbml(schema);
    expect(read(dbml).refs).toHaveLength(1);
    expect(dbml.match(/^\/\/ left out.*$/gm)).toEqual([
      expect.stringContaining('"b"."id" > "a"."id"'),
      expect.stringContaining('"c"."id" > "c"."id"'),
    ]);
  });

  it('is empty for an empty schema', () => {
    expect(writeDbml(schemaFromText(''))).toBe('');
  });
});
