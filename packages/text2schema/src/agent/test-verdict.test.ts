import { describe, expect, it } from 'vitest';
import { runWith, TERMINAL } from '../fixtures/school.ts';
import type { SchemaRole } from '../model/index.ts';
import { judge } from './test-verdict.ts';

const PRESENT: readonly SchemaRole[] = ['product-manager', 'conceptual-designer', 'logical-designer', 'qa-engineer'];
const error = (role: SchemaRole) => ({ role, problem: 'P', remedy: 'R' });

describe('judge', () => {
  it('accepts with TERMINAL, and failed cases with a reason', () => {
    expect(judge(TERMINAL, undefined, PRESENT)).toMatchObject({ accepted: true, next: null, warnings: [] });
    expect(judge(TERMINAL, runWith(3), PRESENT)).toMatchObject({ accepted: true, warnings: [] });
  });

  it('failed cases without a reason are a rejection that goes to whoever is likely to mend them', () => {
    const judged = judge({ ...TERMINAL, text: ' ' }, runWith(1), PRESENT);
    expect(judged).toMatchObject({
      accepted: false,
      next: 'conceptual-designer',
      errors: [{ role: 'conceptual-designer' }],
    });
    expect(judged.text).toContain('Case 1.1 did not pass');
  });

  it('errors beside TERMINAL are a rejection', () => {
    const judged = judge({ ...TERMINAL, errors: [error('logical-designer')] }, undefined, PRESENT);
    expect(judged).toMatchObject({ accepted: false, next: 'logical-designer' });
    expect(judged.warnings).toHaveLength(1);
  });

  it.each([
    ['the named role', 'qa-engineer', ['logical-designer'], 'qa-engineer'],
    ['the earliest role of the errors', null, ['qa-engineer', 'conceptual-designer'], 'conceptual-designer'],
    ['the designer for its reviewer', null, ['conceptual-reviewer'], 'conceptual-designer'],
    ['the logical designer for itself', null, ['test-executor'], 'logical-designer'],
    ['nobody, where nothing is named', null, [], null],
  ] as const)('sends it to %s', (_name, next, roles, expected) => {
    const judged = judge({ text: '', errors: roles.map(error), end: null, next }, undefined, PRESENT);
    expect(judged).toMatchObject({ accepted: false, next: expected });
  });

  it('a role that does not take part is no role', () => {
    const present = PRESENT.slice(1);
    const said = { text: '', errors: [error('product-manager')], end: null, next: 'product-manager' } as const;
    expect(judge(said, undefined, present).next).toBe('logical-designer');
  });
});
