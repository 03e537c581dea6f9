import { type AdapterSpec, type Catalog, finishCatalog, type PlanVerdict } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { catalogFixture, schemaFixture } from '@askema/testkit';

const { fingerprint: _, ...shop } = catalogFixture(
  schemaFixture({
    users: { attributes: ['id NUMERIC', 'name TEXT', 'ssn TEXT', 'email TEXT'] },
    orders: { attributes: ['id NUMERIC', 'user_id NUMERIC', 'total NUMERIC'] },
  }),
  { dialect: 'sqlite' },
);
export const SHOP = shop;
export const idOf = (relation: string, column: string): string =>
  SHOP.schema.attributes.find((one) => one.relation === relation && one.name === column)?.id ?? '';
const TAGGED: Catalog = finishCatalog({
  ...SHOP,
  relations: {
    ...SHOP.relations,
    orders: { ...orThrow(SHOP.relations.orders), tags: [{ name: 'team', value: 'hr' }] },
  },
  attributes: {
    ...SHOP.attributes,
    [idOf('users', 'ssn')]: { ...orThrow(SHOP.attributes[idOf('users', 'ssn')]), tags: [{ name: 'tax/2/PII' }] },
  },
});

export function orThrow<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The fixture lacks it.');
  return value;
}

/** Its engine says what a statement reads, whatever the statement is. */
export function fakeShop(plan: Partial<PlanVerdict> = {}, readsTags = true): AdapterSpec {
  return {
    contract: 1,
    dialect: sqliteDialect,
    name: 'shop',
    access: 'read',
    executor: {
      async *execute() {
        yield { type: 'columns', columns: [{ name: 'n', nativeType: '', type: 'NUMERIC' }] };
        yield { type: 'end' };
      },
    },
    introspector: {
      introspect: async ({ tags }) => (tags === true && readsTags ? TAGGED : finishCatalog(SHOP)),
    },
    planner: { check: async () => ({ verdict: 'ok', ...plan }) },
    close: async () => undefined,
  };
}
