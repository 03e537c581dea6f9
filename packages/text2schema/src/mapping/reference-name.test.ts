import { describe, expect, it } from 'vitest';
import { referenceNames } from './reference-name.ts';

const nameOf = (key: string, entity: string, role?: string, keySize = 1) =>
  referenceNames({ key, keySize, entity, role, relationship: 'Has' }, key.includes('_') ? 'underscores' : 'blanks')[0];

describe('the name of a reference', () => {
  it.each([
    ['Employee ID', 'Employee', undefined, 'Employee ID'],
    ['Employee ID', 'Employee', 'Manager', 'Manager ID'],
    ['Department ID', 'Business Department', 'Lead Department', 'Lead Department ID'],
    ['Department ID', 'Business Department', 'Lead', 'Lead Department ID'],
    ['department_id', 'business_department', 'lead department', 'lead_department_id'],
    ['ID', 'Employee', 'Manager', 'Manager ID'],
    ['ID', 'Employee', undefined, 'Employee ID'],
    ['Username', 'User', 'Author', 'Author Username'],
    ['Employee ID', 'Employee', 'person in charge', 'Person in Charge ID'],
  ])('of %s of %s in the role %s is %s', (key, entity, role, expected) => {
    expect(nameOf(key, entity, role)).toBe(expected);
  });
});
