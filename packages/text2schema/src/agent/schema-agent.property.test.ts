import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '../../../../scripts/testing/property-runs.ts';
import { createText2Schema } from '../create-text2schema.ts';
import {
  APPROVAL,
  BROKEN_MODEL,
  KEPT,
  KEYLESS_MODEL,
  KEYLESS_PROPOSAL,
  MODELLED,
  PROPOSED,
  REJECTION,
  SCHOOL,
  SCHOOL_MODEL,
  SCHOOL_PLAN,
  SCHOOL_REPORT,
  TERMINAL,
} from '../fixtures/school.ts';
import { scriptedRoles } from '../fixtures/scripted-roles.ts';
import { ROLE_IDS } from '../model/index.ts';

const next = fc.constantFrom<string | null>(
  null,
  null,
  ...ROLE_IDS,
  'nobody',
  '',
  '__proto__',
  'user',
  'all',
  'terminal',
);
const text = fc.constantFrom('', 'Words.', 'TERMINAL', '<<<end>>> logical-designer', '读者');
const list = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { maxLength: 8, minLength: 1 });
const script = fc.record({
  report: list(fc.record({ kind: fc.constant('report' as const), report: fc.constant(SCHOOL_REPORT), next })),
  'conceptual-model': list(
    fc.record({
      thinking: text,
      model: fc.constantFrom(SCHOOL_MODEL, KEYLESS_MODEL, BROKEN_MODEL, { entitySets: [], relationshipSets: [] }),
      doubts: fc.array(text, { maxLength: 2 }),
      next,
    }),
  ),
  review: list(fc.constantFrom(APPROVAL, REJECTION)),
  'logical-design': list(
    fc.record({
      thinking: text,
      proposal: fc.constantFrom(PROPOSED.proposal, KEYLESS_PROPOSAL, { sets: [] }, undefined),
      complaints: fc.array(fc.record({ subject: text, problem: text, remedy: text }), { maxLength: 2 }),
      next,
    }),
  ),
  'test-plan': fc.constant([{ plan: SCHOOL_PLAN }]),
  'test-report': list(
    fc.record({
      text,
      errors: fc.array(fc.record({ role: fc.constantFrom(...ROLE_IDS), problem: text, remedy: text }), {
        maxLength: 2,
      }),
      end: fc.constantFrom<'TERMINAL' | null>('TERMINAL', null),
      next,
    }),
  ),
});
const switches = fc.record({
  productManager: fc.boolean(),
  reviewer: fc.boolean(),
  tests: fc.boolean(),
  errorRoutes: fc.boolean(),
});

it('whatever the roles say, a design ends within its rounds, with a schema or a reason', async () => {
  await fc.assert(
    fc.asyncProperty(script, switches, fc.integer({ min: 1, max: 15 }), async (roles, left, maxRounds) => {
      const model = scriptedRoles(roles);
      const outcome = await createText2Schema({ preset: 'paper', model, switches: left, maxRounds }).design(SCHOOL);
      expect(outcome.rounds).toBeLessThanOrEqual(maxRounds);
      expect(outcome.calls).toBe(model.asked.length);
      expect(outcome.transcript.map(({ number }) => number)).toEqual(outcome.transcript.map((_, at) => at + 1));
      if (outcome.type === 'failed') expect(outcome.error.code).toBe('FLOW_STEP_LIMIT');
      else expect(outcome.type).toBe('designed');
      if (outcome.type !== 'designed') return;
      expect(outcome.artefacts.design?.schema).toEqual(outcome.schema);
      const errors = outcome.artefacts.design?.findings.filter(({ severity }) => severity === 'error') ?? [];
      if (outcome.accepted) {
        expect(errors).toEqual([]);
        expect(outcome.schema.relations.length).toBeGreaterThan(0);
        if (left.tests) expect(outcome.artefacts.testReport).toMatchObject({ accepted: true, errors: [] });
      } else expect(outcome.warnings.length).toBeGreaterThan(0);
    }),
    { numRuns: propertyRuns(60) },
  );
}, 60_000);

it('without complaints and with every role at work, all switches and rounds enough, a design is accepted', async () => {
  await fc.assert(
    fc.asyncProperty(switches, fc.integer({ min: 5, max: 15 }), async (left, maxRounds) => {
      const model = scriptedRoles({
        report: [{ kind: 'report', report: SCHOOL_REPORT, next: null }],
        'conceptual-model': [MODELLED],
        review: [APPROVAL],
        'logical-design': [PROPOSED, KEPT],
        'test-plan': [{ plan: SCHOOL_PLAN }],
        'test-report': [TERMINAL],
      });
      const outcome = await createText2Schema({ preset: 'paper', model, switches: left, maxRounds }).design(SCHOOL);
      expect(outcome).toMatchObject({ type: 'designed', accepted: true });
    }),
    { numRuns: 30 },
  );
}, 60_000);
