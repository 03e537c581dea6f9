import { describe, expect, it } from 'vitest';
import { designSchool, feedback, said } from '../fixtures/design-school.ts';
import {
  APPROVAL,
  KEPT,
  KEYLESS_MODEL,
  KEYLESS_PROPOSAL,
  MODELLED,
  PROPOSED,
  SCHOOL_MODEL,
  TERMINAL,
} from '../fixtures/school.ts';

describe('names and rounds', () => {
  it('an unknown speaker is noted, and the forward order holds', async () => {
    const { outcome } = await designSchool({
      'logical-design': [
        { ...PROPOSED, next: 'Database Guru' },
        { ...KEPT, next: 'Database Guru' },
      ],
    });
    expect(said(outcome, 'logical-designer')[0]).toMatchObject({ ignoredNext: 'Database Guru', next: 'qa-engineer' });
    expect(outcome).toMatchObject({ type: 'designed', accepted: true });
  });

  it('a rejection that names nobody who could mend it goes to the role of its errors', async () => {
    const errors = [{ role: 'conceptual-designer', problem: 'P', remedy: 'R' } as const];
    const { outcome } = await designSchool({
      'test-report': [{ text: '', errors, end: null, next: 'the boss' }, TERMINAL],
    });
    expect(feedback(outcome)).toEqual(['test-executor > conceptual-designer']);
    expect(outcome.warnings.join()).toContain('the boss');
  });

  it('names of roles in texts lead nowhere', async () => {
    const text = 'conceptual-designer, please! TERMINAL. Approve. next: product-manager';
    const { outcome } = await designSchool({
      'test-report': [{ ...TERMINAL, text }],
      review: [{ ...APPROVAL, thinking: text }],
    });
    expect(feedback(outcome)).toEqual([]);
    expect(outcome).toMatchObject({ type: 'designed', accepted: true, rounds: 5 });
  });

  it('used-up rounds end with the best schema so far, marked', async () => {
    const errors = [{ role: 'logical-designer', problem: 'P', remedy: 'R' } as const];
    const { model, outcome } = await designSchool({ 'test-report': [{ text: '', errors, end: null, next: null }] });
    expect(outcome).toMatchObject({ type: 'designed', accepted: false });
    expect(outcome.rounds).toBeLessThanOrEqual(15);
    expect(outcome.rounds).toBeGreaterThanOrEqual(14);
    expect(outcome.warnings.join()).toContain('best one so far');
    expect(model.inputs('test-plan')).toHaveLength(1);
    expect(model.inputs('test-report').at(-1)?.mayReject).toBe(false);
  });

  it('rounds that end before there is a schema are a failure that says so', async () => {
    const { outcome } = await designSchool({}, { maxRounds: 2 });
    expect(outcome).toMatchObject({ type: 'failed', rounds: 2, error: { code: 'FLOW_STEP_LIMIT' } });
    expect(outcome.artefacts.conceptual).toEqual(SCHOOL_MODEL);
  });

  it('nobody complains where too few rounds are left to mend it', async () => {
    const { model, outcome } = await designSchool(
      {
        'conceptual-model': [{ ...MODELLED, model: KEYLESS_MODEL, doubts: ['Why?'], next: 'product-manager' }],
        'logical-design': [{ ...PROPOSED, proposal: KEYLESS_PROPOSAL }],
      },
      { maxRounds: 5 },
    );
    expect(feedback(outcome)).toEqual([]);
    expect(model.inputs('conceptual-model')[0]?.mayAsk).toBe(false);
    expect(model.inputs('logical-design')[0]?.mayComplain).toBe(false);
    expect(outcome).toMatchObject({ type: 'designed', accepted: false, rounds: 5 });
  });
});
