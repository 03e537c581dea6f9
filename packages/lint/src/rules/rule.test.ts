import { describe, expect, test } from 'vitest';
import { defineRule, type InspectionRule } from './rule.ts';

const RULE: InspectionRule = {
  code: 'custom/no-test-accounts',
  severity: 'error',
  title: 'No test accounts.',
  check: () => [],
};

describe('defineRule', () => {
  test('takes a code of words with hyphens, and a built-in one', () => {
    expect(defineRule(RULE)).toBe(RULE);
    expect(defineRule({ ...RULE, code: 'value-format' })).toMatchObject({ code: 'value-format' });
  });

  test.each(['custom/NoTests', 'custom/', 'custom/a_b', 'custom/-a', 'my-rule'])('refuses the code %s', (code) => {
    expect(() => defineRule({ ...RULE, code: code as InspectionRule['code'] })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    );
  });

  test('refuses a rule without a title or with an unknown severity', () => {
    expect(() => defineRule({ ...RULE, title: ' ' })).toThrow('has no title');
    expect(() => defineRule({ ...RULE, severity: 'fatal' as 'error' })).toThrow('"fatal"');
  });
});
