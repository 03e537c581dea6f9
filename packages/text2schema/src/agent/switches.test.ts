import { describe, expect, it } from 'vitest';
import { designSchool } from '../fixtures/design-school.ts';
import {
  APPROVAL,
  BROKEN_MODEL,
  FORWARD,
  KEPT,
  KEYLESS_MODEL,
  KEYLESS_PROPOSAL,
  MODELLED,
  PROPOSED,
  REJECTION,
  SCHOOL,
} from '../fixtures/school.ts';
import type { RoleScript } from '../fixtures/scripted-roles.ts';
import type { SchemaAgentSwitches } from '../text2schema-options.ts';

const design = (switches: SchemaAgentSwitches, script: RoleScript = {}, requirement?: string) =>
  designSchool(script, { switches, maxRequirementTokens: 1000 }, requirement);

describe('switches', () => {
  it('without the product manager the designers read the requirement itself', async () => {
    const { model, outcome } = await design({ productManager: false });
    expect(model.asked).not.toContain('report');
    expect(model.inputs('conceptual-model')[0]).toMatchObject({
      requirement: SCHOOL,
      report: undefined,
      mayAsk: false,
      absentRoles: ['product-manager'],
    });
    expect(outcome).toMatchObject({ type: 'designed', accepted: true, language: 'en', rounds: 4 });
  });

  it('without the product manager only the first part of a long requirement is read, and a warning says so', async () => {
    const { outcome } = await design({ productManager: false }, {}, `${SCHOOL} `.repeat(200));
    expect(outcome.warnings.join()).toContain('only its first part');
  });

  it('without the product manager a rejection that is meant for it goes to a designer', async () => {
    const errors = [{ role: 'product-manager', problem: 'P', remedy: 'R' } as const];
    const { outcome } = await design(
      { productManager: false },
      { 'test-report': [{ text: '', errors, end: null, next: 'product-manager' }, ...(FORWARD['test-report'] ?? [])] },
    );
    expect(outcome.transcript.filter(({ kind }) => kind === 'feedback')).toMatchObject([{ next: 'logical-designer' }]);
    expect(outcome).toMatchObject({ type: 'designed', accepted: true });
  });

  it('without the reviewer the model goes on as it is', async () => {
    const { model, outcome } = await design(
      { reviewer: false },
      {
        'conceptual-model': [{ ...MODELLED, model: KEYLESS_MODEL }, MODELLED],
        'logical-design': [{ ...PROPOSED, proposal: KEYLESS_PROPOSAL }, PROPOSED, KEPT],
      },
    );
    expect(model.asked).not.toContain('review');
    // The logical designer's complaint reaches the designer all the same.
    expect(outcome.transcript.filter(({ kind }) => kind === 'feedback')).toMatchObject([
      { from: 'logical-designer', next: 'conceptual-designer' },
    ]);
    expect(outcome).toMatchObject({ type: 'designed', accepted: true });
  });

  it('without tests the logical designer has the last word', async () => {
    const { model, outcome } = await design({ tests: false });
    expect(model.asked).toEqual(['report', 'conceptual-model', 'review', 'logical-design', 'logical-design']);
    expect(outcome).toMatchObject({ type: 'designed', accepted: true, rounds: 3, warnings: [] });
  });

  it('without error routes everybody hands forward, but the nested chat stays', async () => {
    const errors = [{ role: 'conceptual-designer', problem: 'P', remedy: 'R' } as const];
    const { model, outcome } = await design(
      { errorRoutes: false },
      {
        'conceptual-model': [
          { ...MODELLED, model: BROKEN_MODEL, doubts: ['?'], next: 'product-manager' },
          { ...MODELLED, model: KEYLESS_MODEL },
        ],
        review: [REJECTION, APPROVAL],
        'logical-design': [
          {
            ...PROPOSED,
            proposal: KEYLESS_PROPOSAL,
            next: 'conceptual-designer',
            complaints: [{ subject: 'S', problem: 'P', remedy: 'R' }],
          },
        ],
        'test-report': [{ text: 'Not good.', errors, end: null, next: 'conceptual-designer' }],
      },
    );
    const complaints = outcome.transcript.filter(({ kind }) => kind === 'feedback').map(({ from }) => from);
    expect(complaints).toEqual(['conceptual-reviewer']);
    expect(model.inputs('test-report')[0]?.mayReject).toBe(false);
    expect(outcome).toMatchObject({ type: 'designed', accepted: false, rounds: 5 });
    expect(outcome.artefacts.testReport).toMatchObject({ accepted: false, errors });
  });

  it('with only the two designers a schema comes of two turns', async () => {
    const switches = { productManager: false, reviewer: false, tests: false, errorRoutes: false };
    const { model, outcome } = await design(switches);
    expect(model.asked).toEqual(['conceptual-model', 'logical-design', 'logical-design']);
    expect(outcome).toMatchObject({ type: 'designed', accepted: true, rounds: 2 });
  });
});
