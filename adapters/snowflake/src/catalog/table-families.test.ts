import { buildCatalog, type DraftRelation } from '@askema/core';
import { snowflakeDialect } from '@askema/dialects';
import { expect, test } from 'vitest';
import { withFamilies } from './table-families.ts';

const table = (relation: string, column = 'ID', schema = 'S'): DraftRelation => ({
  nameParts: { database: 'D', schema, relation },
  kind: 'table',
  attributes: [{ name: column, nativeType: 'NUMBER(38,0)' }],
});

function familiesOf(relations: readonly DraftRelation[]): Record<string, number> {
  const catalog = buildCatalog({ dialect: snowflakeDialect, name: 'x', relations: withFamilies(relations) });
  return Object.fromEntries(catalog.families.map(({ pattern, members }) => [pattern, members.length]));
}

test('dates and numbers that stand alone make a family', () => {
  const days = ['20240101', '20240102', '20240103'].map((day) => table(`EVENTS_${day}`));
  expect(familiesOf([...days, table('ORDERS_2023'), table('ORDERS_2024'), table('ORDERS')])).toEqual({
    'EVENTS_*': 3,
    'ORDERS_*': 2,
  });
});

test('digits of words, other columns, other schemas and single tables do not', () => {
  expect(familiesOf([table('V1'), table('V2'), table('CHR1_A'), table('CHR2_A')])).toEqual({});
  expect(familiesOf([table('E_1'), table('E_2', 'OTHER')])).toEqual({});
  expect(familiesOf([table('E_1'), table('E_2', 'ID', 'T')])).toEqual({});
  expect(familiesOf([table('E_1'), table('E_2'), table('E_3', 'OTHER')])).toEqual({ 'E_*': 2 });
});
