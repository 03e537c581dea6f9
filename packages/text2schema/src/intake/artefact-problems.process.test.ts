import { describe, expect, it } from 'vitest';
import { createText2Schema } from '../create-text2schema.ts';
import { FORWARD, SCHOOL, SCHOOL_MODEL, SCHOOL_PLAN, SCHOOL_REPORT } from '../fixtures/school.ts';
import { scratch } from '../fixtures/scratch.ts';
import { scriptedRoles } from '../fixtures/scripted-roles.ts';
import { artefactProblems } from './artefact-problems.ts';

describe('phases that somebody brings along', () => {
  it('may be what a design made, through JSON and back', async () => {
    const model = scriptedRoles(FORWARD);
    const { artefacts } = await createText2Schema({ preset: 'paper', model, scratch }).design(SCHOOL);
    const again = JSON.parse(JSON.stringify(artefacts)) as typeof artefacts;
    expect(Object.keys(again).sort()).toEqual(['conceptual', 'design', 'report', 'testPlan', 'testReport']);
    for (const [part, value] of Object.entries(again))
      expect(artefactProblems(part as keyof typeof artefacts, value)).toEqual([]);
  });

  it.each([
    ['report', { ...SCHOOL_REPORT, rules: 'none' }, /^rules: .*array/],
    [
      'conceptual',
      { entitySets: [{ name: 'Student' }], relationshipSets: [] },
      /^entitySets\[0\]\.attributes: .*array/,
    ],
    [
      'conceptual',
      {
        ...SCHOOL_MODEL,
        relationshipSets: [{ name: 'Enrols', participants: [{ entity: 'Student', cardinality: 'N' }], attributes: [] }],
      },
      /^relationshipSets\[0\]\.participants\[0\]\.cardinality: .*"many"/,
    ],
    ['design', { schema: {} }, /^schema\.relations: /],
    [
      'testPlan',
      { sets: [{ ...SCHOOL_PLAN.sets[0], cases: [{ operation: 'upsert' }] }] },
      /^sets\[0\]\.cases\[0\]\.operation: /,
    ],
    ['testReport', null, /expected object/],
  ] as const)('%s of another form: each problem with its place', async (part, value, place) => {
    const problems = artefactProblems(part, value);
    expect(problems[0]).toMatch(place);
    expect(problems.length).toBeLessThan(6);
    const { design } = createText2Schema({ preset: 'paper', model: scriptedRoles(FORWARD), scratch });
    await expect(design(SCHOOL, { artefacts: { [part]: value } })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining(`\`artefacts.${part}\` cannot be worked with: ${problems[0]}`),
    });
  });
});
