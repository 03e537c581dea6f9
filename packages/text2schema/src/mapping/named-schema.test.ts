import { validateSchema } from '@askema/core';
import { verifyCertificate } from '@askema/normal-form';
import { describe, expect, it } from 'vitest';
import type { NamedRelation, NamedSchema } from '../model/index.ts';
import { checkDesign } from './check-design.ts';
import { designFixture } from './design-fixture.ts';
import { mapToRelations } from './map-to-relations.ts';
import { designOfNamed, NAMED_SCHEMA_CODES, namedSchemaOf, schemaOfNamed } from './named-schema.ts';

type Key = NamedRelation['foreignKeys'][number];

function relation(name: string, attributes: string, primaryKey: string, ...foreignKeys: Key[]): NamedRelation {
  const names = (text: string): string[] => (text === '' ? [] : text.split(', '));
  return {
    name,
    attributes: names(attributes).map((one) => ({ name: one, type: /\bid\b/i.test(one) ? 'NUMERIC' : 'TEXT' })),
    primaryKey: names(primaryKey),
    foreignKeys,
  };
}

const to = (target: string, attributes: string[], targetAttributes = attributes): Key => ({
  attributes,
  target,
  targetAttributes,
});
const codesOf = (...relations: NamedRelation[]) => schemaOfNamed({ relations }).findings.map(({ code }) => code);

const CUSTOMER = relation('Customer', 'Customer ID, Name', 'Customer ID');
const ORDER = relation('Order', 'Order ID, Customer ID', 'Order ID', to('Customer', ['Customer ID']));

describe('schemaOfNamed', () => {
  it('makes the 5-tuple, and namedSchemaOf the names again', () => {
    const named: NamedSchema = { relations: [CUSTOMER, ORDER] };
    const { schema, findings } = schemaOfNamed(named);
    expect(findings).toEqual([]);
    expect(validateSchema(schema)).toEqual([]);
    expect(namedSchemaOf(schema)).toEqual(named);
    expect(schema.domainConstraints).toEqual([
      { attribute: 'customer#customer id', constraint: 'not null' },
      { attribute: 'customer#customer id', constraint: 'unique' },
      { attribute: 'order#order id', constraint: 'not null' },
      { attribute: 'order#order id', constraint: 'unique' },
    ]);
  });

  it('finds names whatever their case, blanks, underscores and hyphens are', () => {
    const loose = relation('order_line', 'order-id, line', 'ORDER ID, Line', to('ORDER', ['Order_ID'], ['order id']));
    const { schema, findings } = schemaOfNamed({ relations: [loose, ORDER, CUSTOMER] });
    expect(findings).toEqual([]);
    expect(schema.foreignKeys.map(({ id }) => id)).toContain('order_line(order-id)>order(order id)');
  });

  it('takes the primary key for what a foreign key without target attributes references', () => {
    const loose = relation('Order', 'Order ID, Customer ID', 'Order ID', to('customer', ['Customer ID'], []));
    expect(schemaOfNamed({ relations: [CUSTOMER, loose] })).toEqual(schemaOfNamed({ relations: [CUSTOMER, ORDER] }));
  });

  it('has a finding for each thing that does not fit, leaves it out and keeps the rest', () => {
    const cases: Record<string, readonly NamedRelation[]> = {
      'relation-name-empty': [relation(' ', 'A', 'A')],
      'relation-repeated': [CUSTOMER, relation('customer', 'Age', 'Age')],
      'relation-without-attributes': [relation('Empty', '', '')],
      'attribute-name-empty': [relation('Named', 'A,  ', 'A')],
      'attribute-repeated': [relation('Twice', 'A b, a_B', 'A b')],
      'key-missing': [relation('Keyless', 'A', '')],
      'key-attribute-unknown': [relation('Wrong', 'Aaa, B', 'Aaaa, B')],
      'foreign-key-target-unknown': [
        relation('Order', 'Order ID, Customer ID', 'Order ID', to('Custmoer', ['Customer ID'])),
        CUSTOMER,
      ],
      'foreign-key-attribute-unknown': [
        relation('Order', 'Order ID', 'Order ID', to('Customer', ['Customer ID'])),
        CUSTOMER,
      ],
      'foreign-key-no-key': [relation('Order', 'Order ID, Name', 'Order ID', to('Customer', ['Name'])), CUSTOMER],
      'foreign-key-types-differ': [
        relation('Order', 'Order ID, Buyer', 'Order ID', to('Customer', ['Buyer'], ['Customer ID'])),
        CUSTOMER,
      ],
    };
    expect(Object.keys(cases)).toEqual(Object.keys(NAMED_SCHEMA_CODES));
    for (const [code, relations] of Object.entries(cases)) expect(codesOf(...relations), code).toEqual([code]);
    const [nearest] = schemaOfNamed({ relations: cases['foreign-key-target-unknown'] ?? [] }).findings;
    expect(nearest?.message).toContain('Did you mean `Customer`?');
    expect(
      codesOf(
        relation('Order', 'Order ID, A', 'Order ID', to('Customer', ['Order ID', 'A'], ['Customer ID'])),
        CUSTOMER,
      ),
    ).toEqual(['foreign-key-attribute-unknown']);
  });
});

describe('designOfNamed', () => {
  it('lets each key determine the rest, with certificates that hold', () => {
    const design = designOfNamed({
      relations: [CUSTOMER, ORDER, relation('Tag', 'A, B', 'B, A'), relation('Log', 'Line', '')],
    });
    expect(design.relations.map(({ dependencies }) => dependencies)).toEqual([
      [{ left: ['Customer ID'], right: ['Name'] }],
      [{ left: ['Order ID'], right: ['Customer ID'] }],
      [],
      [],
    ]);
    expect(design.decompositions.every((one) => verifyCertificate(one).valid)).toBe(true);
    expect(design.decompositions.map(({ relations }) => relations.length)).toEqual([1, 1, 1, 1]);
    expect(design.findings.map(({ code }) => code)).toEqual(['key-missing']);
    expect(checkDesign(design).map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'schema-breach: The relation `Log` has no primary key.',
    ]);
  });
});

describe('checkDesign', () => {
  const { model, proposal } = designFixture({
    Student: { attributes: ['Student ID', 'Dept', 'Dorm'], dependencies: ['Student ID -> Dept', 'Dept -> Dorm'] },
  });
  const design = mapToRelations(model, proposal);

  it('says nothing of a design that the tools made', () => {
    expect(checkDesign(design)).toEqual([]);
  });

  it('finds edited certificates, dependencies that break third normal form, and breaches of Definition 1', () => {
    const [decomposition] = design.decompositions;
    if (decomposition === undefined) throw new Error('no decomposition');
    const forged = { ...decomposition, certificate: { ...decomposition.certificate, keys: [] } };
    expect(checkDesign({ ...design, decompositions: [forged] }).map(({ code }) => code)).toEqual([
      'certificate-invalid',
    ]);
    const merged = designOfNamed({ relations: [relation('Student', 'Student ID, Dept, Dorm', 'Student ID')] });
    const [student] = merged.relations;
    if (student === undefined) throw new Error('no relation');
    const dependencies = [...student.dependencies, { left: ['Dept'], right: ['Dorm'] }];
    const found = checkDesign({ ...merged, relations: [{ ...student, dependencies }] });
    expect(found.map(({ code }) => code)).toEqual(['relation-below-3nf']);
    expect(found[0]?.message).toContain('Dorm');
    expect(checkDesign({ ...design, schema: { ...design.schema, primaryKeys: [] } }).map(({ code }) => code)).toContain(
      'schema-breach',
    );
  });
});
