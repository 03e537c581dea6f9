import { describe, expect, it, vi } from 'vitest';
import { createText2Schema } from '../create-text2schema.ts';
import { FORWARD, KEYLESS_MODEL, MODELLED, SCHOOL, SCHOOL_MODEL, SCHOOL_REPORT, TERMINAL } from '../fixtures/school.ts';
import { scratch } from '../fixtures/scratch.ts';
import { type RoleScript, scriptedRoles } from '../fixtures/scripted-roles.ts';
import type { DesignArtefacts } from '../model/index.ts';
import type { DesignPhase } from '../text2schema-options.ts';

const roles = (script: RoleScript = {}) => scriptedRoles({ ...FORWARD, ...script });

describe('phases', () => {
  it('each is shown once it is there, with all before it', async () => {
    const seen: [DesignPhase, string[]][] = [];
    const onPhase = async (phase: DesignPhase, artefacts: DesignArtefacts) => {
      const there = Object.entries(artefacts).filter(([, part]) => part !== undefined);
      seen.push([phase, there.map(([name]) => name)]);
      return undefined;
    };
    await createText2Schema({ preset: 'paper', model: roles(), onPhase }).design(SCHOOL);
    expect(seen).toEqual([
      ['report', ['report']],
      ['conceptual', ['report', 'conceptual']],
      ['logical', ['report', 'conceptual', 'design']],
      ['tests', ['report', 'conceptual', 'design', 'testReport', 'testPlan']],
    ]);
  });

  it('what is edited takes the place of what was made, and the rest is made from it', async () => {
    const report = { ...SCHOOL_REPORT, rules: ['Grades are from 1 to 6.'] };
    const model = roles({ 'conceptual-model': [{ ...MODELLED, model: KEYLESS_MODEL }] });
    const onPhase = async (phase: DesignPhase, artefacts: DesignArtefacts) => {
      if (phase === 'report') return { ...artefacts, report };
      if (phase === 'conceptual') return { ...artefacts, conceptual: SCHOOL_MODEL };
      return undefined;
    };
    const outcome = await createText2Schema({ preset: 'paper', model, onPhase }).design(SCHOOL);
    expect(model.inputs('conceptual-model')[0]?.report).toEqual(report);
    expect(model.inputs('logical-design')[0]?.model).toEqual(SCHOOL_MODEL);
    expect(outcome).toMatchObject({
      type: 'designed',
      accepted: true,
      artefacts: { report, conceptual: SCHOOL_MODEL },
    });
  });

  it('an edited test report decides', async () => {
    const onPhase = async (phase: DesignPhase, artefacts: DesignArtefacts) =>
      phase === 'tests' && artefacts.testReport !== undefined
        ? { ...artefacts, testReport: { ...artefacts.testReport, accepted: true } }
        : undefined;
    const errors = [{ role: 'logical-designer', problem: 'P', remedy: 'R' } as const];
    const model = roles({ 'test-report': [{ ...TERMINAL, end: null, errors }] });
    const outcome = await createText2Schema({ preset: 'paper', model, onPhase }).design(SCHOOL);
    expect(outcome).toMatchObject({ type: 'designed', accepted: true, rounds: 5 });
  });

  it.each([
    ['report', 'conceptual-model'],
    ['conceptual', 'logical-design'],
    ['design', 'test-plan'],
    ['testPlan', 'test-report'],
  ] as const)('a design that brings its phases up to %s goes on with %s', async (last, first) => {
    const { artefacts } = await createText2Schema({ preset: 'paper', model: roles() }).design(SCHOOL);
    const order = ['report', 'conceptual', 'design', 'testPlan'] as const;
    const brought = Object.fromEntries(order.slice(0, order.indexOf(last) + 1).map((name) => [name, artefacts[name]]));
    const model = roles();
    // The tests run only where they are what is left.
    const options = { preset: 'paper' as const, model, ...(first === 'test-report' && { scratch }) };
    const outcome = await createText2Schema(options).design(SCHOOL, { artefacts: brought });
    expect(model.asked[0]).toBe(first);
    expect(outcome).toMatchObject({ type: 'designed', accepted: true });
  });

  it('with all phases there is nothing left to do, and complaints still reach the roles', async () => {
    const { artefacts } = await createText2Schema({ preset: 'paper', model: roles() }).design(SCHOOL);
    const model = roles();
    const outcome = await createText2Schema({ preset: 'paper', model }).design(SCHOOL, { artefacts });
    expect(outcome).toMatchObject({ type: 'designed', accepted: true, calls: 0 });
    const { testReport: _, ...rest } = artefacts;
    const errors = [{ role: 'product-manager', problem: 'P', remedy: 'R' } as const];
    const complaining = roles({ 'test-report': [{ text: '', errors, end: null, next: null }, TERMINAL] });
    const mended = await createText2Schema({ preset: 'paper', model: complaining }).design(SCHOOL, { artefacts: rest });
    expect(complaining.asked.slice(0, 3)).toEqual(['test-report', 'report', 'conceptual-model']);
    expect(mended).toMatchObject({ type: 'designed', accepted: true });
  });

  it('a schema that a person broke is not accepted, and one that a person mended is', async () => {
    const { artefacts } = await createText2Schema({ preset: 'paper', model: roles() }).design(SCHOOL);
    const { design } = artefacts;
    if (design === undefined) throw new Error('no design');
    const keyless = { ...design, schema: { ...design.schema, primaryKeys: [] } };
    const text2schema = createText2Schema({ preset: 'paper', model: roles() });
    const broken = await text2schema.design(SCHOOL, { artefacts: { ...artefacts, design: keyless } });
    expect(broken).toMatchObject({
      type: 'designed',
      accepted: false,
      artefacts: { design: { findings: expect.arrayContaining([expect.objectContaining({ code: 'schema-breach' })]) } },
    });
    const finding = {
      code: 'x',
      severity: 'error',
      subject: '',
      message: '',
      remedy: '',
      role: 'logical-designer',
    } as const;
    const mended = await text2schema.design(SCHOOL, {
      artefacts: { ...artefacts, design: { ...design, findings: [finding] } },
    });
    expect(mended).toMatchObject({ type: 'designed', accepted: true });
  });

  it('a broken callback is a failure with all artefacts, not a rejection', async () => {
    const onPhase = vi.fn(async () => Promise.reject(new Error('offline')));
    const outcome = await createText2Schema({ preset: 'paper', model: roles(), onPhase }).design(SCHOOL);
    expect(outcome).toMatchObject({ type: 'failed', error: { code: 'INTERNAL' } });
  });
});
