import { fixtureDialect } from '@askema/testkit';
import { expect, it } from 'vitest';
import { castType } from './cast-type.ts';

it('takes the name of CAST, else that of DDL; a number of any kind as a number where nothing is said', () => {
  const { types } = fixtureDialect;
  expect([castType('TEXT', { types }), castType('FLOAT', { types })]).toEqual(['TEXT', 'NUMBER']);
  const own = { types: { ...types, cast: { TEXT: 'CHAR', NUMERIC: 'DECIMAL' } } };
  expect([castType('TEXT', own), castType('FLOAT', own), castType('BOOL', own)]).toEqual([
    'CHAR',
    'DECIMAL',
    'BOOLEAN',
  ]);
  const float = { types: { ...types, cast: { FLOAT: 'REAL' } } };
  expect([castType('FLOAT', float), castType('NUMERIC', float)]).toEqual(['REAL', 'NUMBER']);
});
