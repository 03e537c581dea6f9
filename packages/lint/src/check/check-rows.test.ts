import { describe, expect, it } from 'vitest';
import type { SuspectedDependency } from './check-finding.ts';
import { ifRules, withoutFollowing } from './check-rows.ts';

function suspect(text: string, g3 = 0): SuspectedDependency {
  const [left = '', right = ''] = text.split('>');
  return { left: left.split(','), right, g3, violations: g3 * 100, rows: 100, distinctLeft: 5, expectedViolations: 50 };
}

describe('withoutFollowing', () => {
  it('keeps the links of a chain, and one way through what determines each other', () => {
    const kept = (...texts: string[]) => withoutFollowing(texts.map((text) => suspect(text)));
    expect(kept('dept>room', 'dept>chair', 'chair>room')).toMatchObject({ following: 1, further: 0 });
    expect(kept('dept>room', 'dept>chair', 'chair>room').suspects.map(({ left, right }) => `${left}>${right}`)).toEqual(
      ['dept>chair', 'chair>room'],
    );
    expect(kept('a>b', 'b>a', 'a>c', 'b>c').suspects).toHaveLength(3);
  });

  it('prefers what is exact, and single attributes', () => {
    const { suspects } = withoutFollowing([suspect('a>c', 0.01), suspect('a>b'), suspect('b>c'), suspect('a,d>c')]);
    expect(suspects.map(({ left, right }) => `${left}>${right}`)).toEqual(['a>b', 'b>c']);
  });

  it('counts what is too many to be sorted out', () => {
    const many = Array.from({ length: 400 }, (_, at) => suspect(`l${at}>r${at}`));
    expect(withoutFollowing(many)).toMatchObject({ following: 0, further: 100 });
  });
});

describe('ifRules', () => {
  const table = { name: 'student', attributes: ['id', 'dept', 'dorm', 'year'], keys: [['id']] };

  it('tells the normal form and the parts beside the declared key', () => {
    const rules = ifRules(table, [suspect('dept>dorm')], { isKeyDeclared: true, taken: ['dept'] });
    expect(rules?.verdict.form).toBe('2NF');
    expect(rules?.decomposition?.relations.map(({ attributes }) => attributes.join())).toEqual([
      'id,dept,year',
      'dept,dorm',
    ]);
    expect(rules?.decomposition?.relations[1]?.name).not.toBe('dept');
  });

  it('decomposes nothing that is in third normal form, and gives up on blank names', () => {
    const key = { ...table, keys: [['id'], ['dept']] };
    expect(ifRules(key, [suspect('dept>dorm')], { isKeyDeclared: true, taken: [] })).toMatchObject({
      verdict: { form: 'BCNF' },
      decomposition: undefined,
    });
    const blank = { ...table, attributes: [...table.attributes, ' '] };
    expect(ifRules(blank, [suspect('dept>dorm')], { isKeyDeclared: true, taken: [] })).toBeUndefined();
  });
});
