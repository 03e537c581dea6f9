import { fixtureDialect } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { fillProbe } from '../dialect/fill-probe.ts';
import { logicalType } from '../dialect/logical-type.ts';
import { classifyError } from './classify-error.ts';

describe('classifyError', () => {
  it('takes the first rule of which everything matches', () => {
    expect(classifyError(fixtureDialect, { vendorCode: '42S02', message: 'whatever' })).toEqual({
      errorClass: 'identifier',
    });
    expect(classifyError(fixtureDialect, { vendorCode: '22000', message: 'Overflow' })).toEqual({ errorClass: 'type' });
    expect(classifyError(fixtureDialect, { vendorCode: '22000', message: 'something' })).toEqual({
      errorClass: 'other',
    });
    expect(classifyError(fixtureDialect, { message: 'overflow' })).toEqual({ errorClass: 'other' });
  });

  it('catches the name, without quotes around it', () => {
    const named = (name: string): string | undefined =>
      classifyError(fixtureDialect, { message: `Object '${name}' does not exist` }).name;
    expect(named('CUSTOMRS')).toBe('CUSTOMRS');
    expect(named('"Customers X"')).toBe('Customers X');
  });
});

describe('logicalType', () => {
  it('matches the whole native type, without regard to case, else falls back', () => {
    expect(logicalType('NUMBER(38,0)', fixtureDialect)).toBe('NUMERIC');
    expect(logicalType(' number ', fixtureDialect)).toBe('NUMERIC');
    expect(logicalType('NUMBERS', fixtureDialect)).toBe('TEXT');
    expect(logicalType('Timestamp_NTZ(9)', fixtureDialect)).toBe('DATETIME');
    expect(logicalType('', fixtureDialect)).toBe('TEXT');
  });
});

describe('fillProbe', () => {
  it('never looks for holes in what it has put in', () => {
    const values = { relation: '"{attribute}"', attribute: '"$& {limit}"', limit: 3 };
    expect(fillProbe('SELECT {attribute} FROM {relation} LIMIT {limit} {other}', values)).toBe(
      'SELECT "$& {limit}" FROM "{attribute}" LIMIT 3 {other}',
    );
  });
});
