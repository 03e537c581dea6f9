import { finishCatalog } from '@askema/core';
import { catalogFixture, schemaFixture } from '@askema/testkit';

const { fingerprint: _, ...parts } = catalogFixture(
  schemaFixture({ users: { attributes: ['id NUMERIC', 'name TEXT', 'ssn TEXT'] } }),
  { dialect: 'sqlite' },
);

/** The catalog of the shops that tests serve. */
export const SHOP = finishCatalog(parts);
