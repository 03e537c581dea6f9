import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compared } from './fixtures/compared.ts';
import { loadSchemaDataset, STRUCTURAL_DEFECTS } from './load-schema-dataset.ts';
import { SCHEMA_METRICS, type SchemaScore } from './schema-score.ts';
import { scoreStrict } from './score-strict.ts';

const OWN = fileURLToPath(new URL('./fixtures', import.meta.url));
const DATA = process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url));
const RSCHEMA = path.join(DATA, 'rschema-dev');

const ONE: SchemaScore = {
  tableF1: 1,
  tableAccuracy: 1,
  attributeF1: 1,
  attributeAccuracy: 1,
  attributeSchemaAccuracy: 1,
  primaryKeyAccuracy: 1,
  primaryKeySchemaAccuracy: 1,
  foreignKeyF1: 1,
  foreignKeyAccuracy: 1,
  foreignKeySchemaAccuracy: 1,
  typeAccuracy: 1,
};

const shop = compared({
  Customer: 'Customer ID* NUMERIC, Name TEXT, Phone TEXT',
  Order: 'Order ID* NUMERIC, Customer ID NUMERIC > Customer.Customer ID, Order Date DATETIME',
  'Order Detail': 'Order ID* NUMERIC > Order.Order ID, Product ID* NUMERIC > Product.Product ID, Quantity NUMERIC',
  Product: 'Product ID* NUMERIC, Name TEXT',
});

describe('scoreStrict', () => {
  it('gives 1 for the same schema in another spelling and order', () => {
    const other = compared({
      products: 'name TEXT, product_id* NUMERIC',
      OrderDetails: 'productID* NUMERIC > products.product_id, order_id* NUMERIC > orders.id, qty NUMERIC',
      orders: 'id* NUMERIC, customer_no NUMERIC > customers.id, order_date DATETIME',
      customers: 'phone_number TEXT, customer_name TEXT, id* NUMERIC',
    });
    expect(scoreStrict(shop, other).score).toEqual(ONE);
  });

  it('gives 0 without a schema, and for one about something else', () => {
    const zero = Object.fromEntries(SCHEMA_METRICS.map((metric) => [metric, 0]));
    expect(scoreStrict(shop, undefined).score).toEqual(zero);
    expect(scoreStrict(shop, compared({ Film: 'Film ID*, Director', Cinema: 'Cinema ID*, Seats' })).score).toEqual(
      zero,
    );
  });

  it('counts a missing and an extra table, and zeros for the missing one', () => {
    const { Product: _, ...rest } = Object.fromEntries(shop.relations.map((each) => [each.name, each]));
    const { score } = scoreStrict(shop, {
      relations: [...Object.values(rest), ...compared({ Supplier: 'a*' }).relations],
    });
    expect(score).toMatchObject({
      tableF1: 0.75,
      tableAccuracy: 0,
      attributeF1: 0.75,
      attributeAccuracy: 0.75,
      primaryKeyAccuracy: 0.75,
      primaryKeySchemaAccuracy: 0,
      // The detail's reference to the missing product is no hit, on either side.
      foreignKeyF1: (2 * 2) / 6,
      foreignKeyAccuracy: 0.5,
      typeAccuracy: 9 / 11,
    });
  });

  it('is one to one: one table cannot stand for two', () => {
    const gold = compared({ Client: 'Name*', Clients: 'Name*' });
    expect(scoreStrict(gold, compared({ client: 'name*' })).score.tableF1).toBeCloseTo(2 / 3);
  });

  it('takes a table for another one only by its attributes, unless their names hardly differ', () => {
    const gold = compared({ 'Sales Order': 'Sales Order ID*, Day, Customer' });
    const detail = compared({ 'Sales Order Detail': 'Product ID*, Quantity' });
    expect(scoreStrict(gold, detail).score.tableF1).toBe(0);
    expect(scoreStrict(gold, compared({ 'sales orders information': 'x*' })).score.tableF1).toBe(1);
    expect(scoreStrict(gold, compared({ 'Client Order': 'Sales Order ID*, Day, Customer' })).score.tableF1).toBe(1);
    expect(scoreStrict(gold, compared({ Till: 'Sales Order ID*, Day, Customer' })).score.tableF1).toBe(0);
  });

  it('knows a table by its attributes alone where enough of them say what it is', () => {
    const booking = compared({ 'Ticket Booking': 'User ID*, Attraction ID*, Booking Date, Ticket Quantity, Remarks' });
    const order = compared({ Order: 'Order ID*, User ID, Attraction ID, Booking Date, Ticket Quantity, Remark' });
    expect(scoreStrict(booking, order).score.tableF1).toBe(1);
    const student = compared({ Student: 'Student ID*, Name, Address, Birth Date, URL' });
    const teacher = compared({ Teacher: 'Teacher ID*, Name, Address, Birth Date, URL' });
    expect(scoreStrict(student, teacher).score.tableF1).toBe(0);
  });

  it('assigns tables so that all together fit best', () => {
    const gold = compared({ Order: 'Order ID*, Date', 'Order Item': 'Order ID*, Product ID*, Quantity' });
    const predicted = compared({ 'Order Line Item': 'Order ID*, Product ID*, Quantity', Orders: 'ID*, Date' });
    expect(scoreStrict(gold, predicted).match.tables.map((pair) => [pair.gold, pair.predicted])).toEqual([
      ['Order', 'Orders'],
      ['Order Item', 'Order Line Item'],
    ]);
  });

  it('wants keys exact, and references with their targets', () => {
    const predicted = compared({
      Customer: 'Customer ID* NUMERIC, Name* TEXT, Phone TEXT',
      Order: 'Order ID* NUMERIC, Customer ID NUMERIC > Product.Product ID, Order Date TEXT',
      'Order Detail': 'Order ID* NUMERIC > Order.Order ID, Product ID* NUMERIC, Quantity NUMERIC',
      Product: 'Product ID* NUMERIC, Name TEXT',
    });
    expect(scoreStrict(shop, predicted).score).toEqual({
      ...ONE,
      primaryKeyAccuracy: 0.75,
      primaryKeySchemaAccuracy: 0,
      foreignKeyF1: (2 * 1) / (3 + 2),
      foreignKeyAccuracy: 0.5,
      foreignKeySchemaAccuracy: 0,
      typeAccuracy: 10 / 11,
    });
  });

  it('takes synonyms only from a port', () => {
    const predicted = compared({ Client: 'Client ID*, Name' });
    const gold = compared({ Customer: 'Customer ID*, Name' });
    const synonyms = { name: 'two words', areSynonyms: (a: string, b: string) => `${a} ${b}` === 'customer client' };
    expect(scoreStrict(gold, predicted).score.tableF1).toBe(0);
    expect(scoreStrict(gold, predicted, { synonyms }).score).toMatchObject({ tableF1: 1, attributeF1: 1 });
  });

  it('stays within 0 and 1 for any schemas', () => {
    const word = fc.constantFrom('Order', 'Orders', 'ID', 'Name', 'Order ID', 'order no', 'Video Name', '名称', '');
    const schema = fc.array(
      fc.record({
        name: word,
        attributes: fc.array(fc.record({ name: word, type: fc.constant('TEXT' as const) }), { maxLength: 5 }),
        primaryKey: fc.array(word, { maxLength: 2 }),
        foreignKeys: fc.array(
          fc.record({ attributes: fc.array(word, { maxLength: 2 }), target: word, targetAttributes: fc.array(word) }),
          { maxLength: 2 },
        ),
      }),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(schema, schema, (gold, predicted) => {
        const { score } = scoreStrict({ relations: gold }, { relations: predicted });
        for (const value of Object.values(score)) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('gives gold 1 against itself, but for rows that break their own rules', async () => {
    const places = existsSync(RSCHEMA) ? [OWN, RSCHEMA] : [OWN];
    for (const place of places) {
      for (const { id, gold, defects } of (await loadSchemaDataset(place)).items) {
        const below = Object.values(scoreStrict(gold, gold).score).some((value) => value !== 1);
        const isDefect = defects.some((defect) => STRUCTURAL_DEFECTS.includes(defect.kind));
        if (!isDefect) expect([id, below]).toEqual([id, false]);
      }
    }
  });
});
