import type { FormTraits } from '@askema/core';
import { fixtureDialect } from '@askema/testkit';
import { expect, it } from 'vitest';
import { operandBrackets, writeLimit, writeLiteral, writeSetOperator } from './dialect-forms.ts';

const withForms = (forms: FormTraits | undefined) => ({ ...fixtureDialect, forms });
const YES = { kind: 'boolean', value: true } as const;
const NO = { kind: 'boolean', value: false } as const;

it.each([
  undefined,
  {},
  { rowLimit: 'limit', truthValues: 'words', setDistinct: 'implied', setOperand: 'brackets' },
] as const)('writes what most engines take: %j', (forms) => {
  const dialect = withForms(forms);
  expect([writeLimit({ count: 5 }, dialect), writeLimit({ count: 5, offset: 2 }, dialect)]).toEqual([
    'LIMIT 5',
    'LIMIT 5 OFFSET 2',
  ]);
  expect([writeSetOperator('union', dialect), writeSetOperator('union all', dialect)]).toEqual(['UNION', 'UNION ALL']);
  expect(operandBrackets(dialect)).toEqual(['(', ')']);
  expect([writeLiteral(YES, dialect), writeLiteral(NO, dialect)]).toEqual(['TRUE', 'FALSE']);
});

it('writes what a dialect says, whatever it is called', () => {
  const dialect = withForms({
    rowLimit: 'fetch',
    truthValues: 'numbers',
    setDistinct: 'written',
    setOperand: 'sub-query',
  });
  expect([writeLimit({ count: 5 }, dialect), writeLimit({ count: 5, offset: 2 }, dialect)]).toEqual([
    'FETCH FIRST 5 ROWS ONLY',
    'OFFSET 2 ROWS FETCH NEXT 5 ROWS ONLY',
  ]);
  expect(writeSetOperator('except', dialect)).toBe('EXCEPT DISTINCT');
  expect(writeSetOperator('union all', dialect)).toBe('UNION ALL');
  expect(operandBrackets(dialect)).toEqual(['SELECT * FROM (', ')']);
  expect([writeLiteral(YES, dialect), writeLiteral(NO, dialect)]).toEqual(['1', '0']);
  expect(writeLiteral({ kind: 'text', value: "it's" }, dialect)).toBe("'it''s'");
  expect(writeLiteral(YES, { ...withForms(undefined), name: 'sqlite' })).toBe('TRUE');
});
