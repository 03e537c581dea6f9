import { describe, expect, it } from 'vitest';
import { createText2Schema } from '../create-text2schema.ts';
import { FORWARD, SCHOOL } from '../fixtures/school.ts';
import { scratch } from '../fixtures/scratch.ts';
import { scriptedRoles } from '../fixtures/scripted-roles.ts';

describe('the forward run', () => {
  it('passes the six roles in order, runs the tests on a database, and ends with TERMINAL', async () => {
    const model = scriptedRoles(FORWARD);
    const outcome = await createText2Schema({ preset: 'paper', model, scratch }).design(SCHOOL);
    expect(outcome).toMatchObject({ type: 'designed', accepted: true, language: 'en', rounds: 5, warnings: [] });
    if (outcome.type !== 'designed') throw new Error(outcome.type);
    expect(model.asked).toEqual([
      'report',
      'conceptual-model',
      'review',
      'logical-design',
      'logical-design',
      'test-plan',
      'test-report',
    ]);
    expect(outcome.schema.relations.map(({ name }) => name)).toEqual(['Student', 'Course', 'Enrols']);
    expect(outcome.artefacts.testReport?.run).toMatchObject({
      dialect: 'sqlite',
      counts: { passed: 60, failed: 0, notCompiled: 0, notRun: 0 },
    });
    expect(outcome.calls).toBe(7);
    expect(outcome.usage).toMatchObject({ inputTokens: 56, outputTokens: 14 });
    expect(outcome.solvedBy).toEqual(['scripted']);
    expect(outcome.transcript.map(({ from, chat, next }) => [from, chat, next])).toEqual([
      ['user', 'schema-agent', undefined],
      ['product-manager', 'schema-agent', 'conceptual-designer'],
      ['conceptual-designer', 'conceptual-design', 'conceptual-reviewer'],
      ['conceptual-reviewer', 'conceptual-design', undefined],
      ['conceptual-designer', 'schema-agent', 'logical-designer'],
      ['logical-designer', 'schema-agent', 'qa-engineer'],
      ['qa-engineer', 'schema-agent', 'test-executor'],
      ['test-executor', 'schema-agent', undefined],
    ]);
    const tools = outcome.transcript.find(({ from }) => from === 'logical-designer')?.toolCalls;
    expect(tools).toMatchObject([{ tool: 'decompose', thought: 'The number identifies a student.', failed: false }]);
  });
});
