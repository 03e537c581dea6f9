import { foreignKeyId } from '@askema/core';
import prisma from '@prisma/prisma-schema-wasm';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { randomSchema } from '../ddl/random-schema.ts';
import { catalogFromText, schemaFromText } from '../ddl/schema-text-fixture.ts';
import { type PrismaProvider, writePrisma } from './write-prisma.ts';

// A busy machine takes many times what these take alone.
vi.setConfig({ testTimeout: 60_000 });

interface Field {
  readonly name: string;
  readonly dbName?: string | null;
  readonly kind: 'scalar' | 'object';
  readonly type: string;
  readonly isRequired: boolean;
  readonly isId: boolean;
  readonly isUnique: boolean;
  readonly relationFromFields?: readonly string[];
}
interface Model {
  readonly name: string;
  readonly dbName: string | null;
  readonly fields: readonly Field[];
  readonly primaryKey: { readonly fields: readonly string[] } | null;
}

/** Prisma's own validation; its message without colours. */
function validate(text: string): void {
  try {
    prisma.validate(JSON.stringify({ prismaSchema: [['schema.prisma', text]] }));
  } catch (error) {
    const { message } = JSON.parse((error as Error).message) as { message: string };
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the message is coloured for terminals.
    throw new Error(`${message.replace(/\u001b\[[0-9;]*m/g, '')}\n${text}`);
  }
}

/** The models as generators of clients get them; those marked @@ignore are not among them. */
function models(text: string): readonly Model[] {
  return (
    JSON.parse(prisma.get_dmmf(JSON.stringify({ prismaSchema: [['schema.prisma', text]] }))) as {
      datamodel: { models: Model[] };
    }
  ).datamodel.models;
}

const PROVIDERS: readonly PrismaProvider[] = ['sqlite', 'postgresql', 'mysql'];

describe.each(PROVIDERS)('writePrisma for %s', (provider) => {
  it('is valid and has every column, key and foreign key, whatever the names', () => {
    fc.assert(
      fc.property(randomSchema, (schema) => {
        const text = writePrisma(schema, { provider });
        validate(text);
        const read = models(text);
        const nameOf = new Map([...schema.relations, ...schema.attributes].map(({ id, name }) => [id as string, name]));
        const ignored = text.match(/^ {2}@@ignore$/gm)?.length ?? 0;
        expect(read.length + ignored).toBe(schema.relations.length);
        for (const model of read) {
          const relation = schema.relations.find(({ name }) => name === (model.dbName ?? model.name));
          const attributes = schema.attributes.filter((attribute) => attribute.relation === relation?.id);
          const scalars = model.fields.filter(({ kind }) => kind === 'scalar');
          expect(scalars.map(({ name, dbName }) => dbName ?? name)).toEqual(attributes.map(({ name }) => name));
          const key = model.primaryKey?.fields ?? scalars.filter(({ isId }) => isId).map(({ name }) => name);
          const columns = key.map((name) => {
            const field = scalars.find((each) => each.name === name);
            return field?.dbName ?? field?.name;
          });
          expect(columns).toEqual(
            (schema.primaryKeys.find((each) => each.relation === relation?.id)?.attributes ?? []).map((id) =>
              nameOf.get(id),
            ),
          );
        }
        const written = read.flatMap(({ fields }) =>
          fields.filter(({ relationFromFields }) => (relationFromFields?.length ?? 0) > 0),
        );
        const remarks =
          (text.match(/^\/\/ left out: foreign key/gm)?.length ?? 0) +
          (text.match(/^ {2}\/\/ .*references: /gm)?.length ?? 0);
        expect(written.length + remarks).toBe(schema.foreignKeys.length);
      }),
      { numRuns: 60 },
    );
  });
});

describe('writePrisma', () => {
  it.each(PROVIDERS)('tells two foreign keys of the same column apart, for %s', (provider) => {
    const schema = schemaFromText('a: x NUMERIC key\n b: x NUMERIC key > a.x');
    const [key] = schema.foreignKeys;
    const from = key?.pairs[0]?.from ?? '';
    const pairs = [{ from, to: from }];
    const own = { id: foreignKeyId('b', 'b', pairs), relation: 'b', target: 'b', pairs };
    const text = writePrisma({ ...schema, foreignKeys: [...schema.foreignKeys, own] }, { provider });
    validate(text);
    expect(text.match(/fields: \[x\]/g)).toHaveLength(2);
  });

  it('names relations where there is more than one, and maps names that Prisma cannot take', () => {
    const schema = schemaFromText(`
      订单: id NUMERIC key, customer_id NUMERIC not null > order line.id, payer_id NUMERIC > order line.id, placed at DATETIME
      order line: id NUMERIC key, 1st TEXT unique, boss NUMERIC > order line.id
      profile: customer_id NUMERIC key > order line.id, photo BINARY, vip BOOL
      Int: a TEXT key, b TEXT key
      loose: x TEXT > order line.1st
    `);
    const text = writePrisma(schema, { provider: 'mysql' });
    validate(text);
    expect(text).toMatchInlineSnapshot(`
      "datasource db {
        provider = "mysql"
      }

      model Model_订单 {
        id Decimal @id @db.Decimal(38, 10)
        customer_id Decimal @db.Decimal(38, 10)
        payer_id Decimal? @db.Decimal(38, 10)
        placed_at DateTime? @map("placed at") @db.DateTime(6)
        customer order_line @relation("Model_订单_customer_id", fields: [customer_id], references: [id])
        payer order_line? @relation("Model_订单_payer_id", fields: [payer_id], references: [id])

        @@map("订单")
      }

      model order_line {
        id Decimal @id @db.Decimal(38, 10)
        field_1st String? @unique @map("1st") @db.VarChar(255)
        boss Decimal? @db.Decimal(38, 10)
        model_订单_customer Model_订单[] @relation("Model_订单_customer_id")
        model_订单_payer Model_订单[] @relation("Model_订单_payer_id")
        order_line order_line? @relation("order_line_boss", fields: [boss], references: [id])
        order_line_order_line order_line[] @relation("order_line_boss")
        profile profile?
        // loose loose[]

        @@map("order line")
      }

      model profile {
        customer_id Decimal @id @db.Decimal(38, 10)
        photo Bytes? @db.LongBlob
        vip Boolean?
        customer order_line @relation(fields: [customer_id], references: [id])
      }

      model Int_ {
        a String @db.VarChar(255)
        b String @db.VarChar(255)

        @@id([a, b])
        @@map("Int")
      }

      // loose has no key of required columns, by which Prisma could find a row.
      model loose {
        x String? @db.VarChar(255)
        // order_line order_line? @relation(fields: [x], references: [field_1st])

        @@ignore
      }
      "
    `);
  });

  it('keeps unique keys of several columns, and leaves out views and foreign keys to no key', () => {
    const catalog = catalogFromText(
      'a: id NUMERIC key, x TEXT, y TEXT\n b: x TEXT key > a.x, v TEXT > gone.v\n v: x TEXT',
      {
        relations: { v: { nameParts: { relation: 'v' }, kind: 'view' } },
        uniqueKeys: [{ relation: 'a', attributes: ['a#x', 'a#y'] }],
      },
    );
    const text = writePrisma(catalog, { provider: 'postgresql' });
    validate(text);
    expect(text.match(/\/\/ left out.*|@@unique.*/g)).toEqual([
      '// left out: view v',
      '// left out: foreign key b (x) to a (x), because it refers to no key',
      '// left out: foreign key b (v) to gone (gone#v), because its target is not there',
      '@@unique([x, y])',
    ]);
  });

  it('lists the fields of a one-to-one relation in the order of the key that they are', () => {
    const schema = schemaFromText('a: x TEXT key, y TEXT key\n b: v TEXT key, w TEXT key');
    const pairs = [
      { from: 'b#w', to: 'a#x' },
      { from: 'b#v', to: 'a#y' },
    ];
    const foreignKeys = [{ id: 'b(w,v)>a(x,y)', relation: 'b', target: 'a', pairs }];
    const text = writePrisma({ ...schema, foreignKeys }, { provider: 'postgresql' });
    validate(text);
    expect(text).toContain('fields: [v, w], references: [y, x]');
  });

  it('is the same text for the same schema', () => {
    fc.assert(
      fc.property(randomSchema, (schema) => {
        expect(writePrisma(structuredClone(schema), { provider: 'sqlite' })).toBe(
          writePrisma(schema, { provider: 'sqlite' }),
        );
      }),
      { numRuns: 20 },
    );
  });
});
