import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { knowledgeSchemas } from './knowledge-schemas.ts';

const errorsOf = (name: string, value: unknown): readonly string[] => {
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(knowledgeSchemas()[name] ?? {});
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
};

it.each([
  ['knowledge.schema.json', { schema_version: 1, matching: 'contains' }, []],
  ['knowledge.schema.json', { schema_version: 2, fiscal_year_start: 13 }, ['/schema_version const']],
  ['query.schema.json', { nl: 'How many?', sql: 'SELECT 1', tags: ['a'], datasource: 'x' }, []],
  ['query.schema.json', { sql: 'SELECT 1' }, [' required']],
  ['askema-metric.schema.json', { type: 'cumulative', input: 'revenue', window: { count: 7, unit: 'day' } }, []],
  ['askema-metric.schema.json', { type: 'sum' }, ['/type enum']],
  ['askema-field.schema.json', { values: ['a', { value: 1, meaning: 'paid' }] }, []],
])('%s and %j', (name, value, errors) => {
  expect(errorsOf(name, value)).toEqual(errors);
});
