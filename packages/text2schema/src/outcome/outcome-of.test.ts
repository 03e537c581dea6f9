import { AskemaError, type RunEvent } from '@askema/core';
import { scriptedModel } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { createText2Schema } from '../create-text2schema.ts';
import { FORWARD, SCHOOL, SCHOOL_MODEL, SCHOOL_PLAN, SCHOOL_REPORT } from '../fixtures/school.ts';
import { type RoleScript, scriptedRoles } from '../fixtures/scripted-roles.ts';

const roles = (script: RoleScript = {}) => scriptedRoles({ ...FORWARD, ...script });
const broken = (code: 'MODEL_UNAVAILABLE' | 'BUDGET_EXCEEDED' | 'MODEL_CONTENT_FILTERED') =>
  new AskemaError(code, 'It broke.', { details: { usage: { inputTokens: 5 }, calls: 1 } });

describe('what breaks off', () => {
  it('an abort in the middle keeps what is finished', async () => {
    const stop = new AbortController();
    const model = roles({
      'test-plan': [
        () => {
          stop.abort();
          return { plan: SCHOOL_PLAN };
        },
      ],
    });
    const outcome = await createText2Schema({ preset: 'paper', model }).design(SCHOOL, { signal: stop.signal });
    expect(outcome).toMatchObject({ type: 'cancelled', error: { code: 'ABORTED' }, rounds: 3 });
    expect(outcome.artefacts).toMatchObject({ report: { title: 'Enrolment' }, conceptual: SCHOOL_MODEL });
    if (outcome.type !== 'cancelled') throw new Error(outcome.type);
    expect(outcome.schema?.relations).toHaveLength(3);
    expect(outcome.transcript.at(-1)?.from).toBe('logical-designer');
    expect(model.asked).not.toContain('test-report');
  });

  it.each([
    ['budgetExceeded', 'BUDGET_EXCEEDED'],
    ['failed', 'MODEL_UNAVAILABLE'],
  ] as const)('%s: everything so far, the schema, and what the broken call cost', async (type, code) => {
    const model = roles({ 'test-report': [broken(code)] });
    const outcome = await createText2Schema({ preset: 'paper', model }).design(SCHOOL);
    expect(outcome).toMatchObject({ type, error: { code }, schema: { relations: [{ name: 'Student' }, {}, {}] } });
    expect(outcome.artefacts.testPlan).toEqual(SCHOOL_PLAN);
    expect(outcome.usage.inputTokens).toBe(6 * 8 + 5);
    expect(outcome.calls).toBe(7);
    expect(outcome.transcript.at(-1)?.from).toBe('qa-engineer');
  });

  it('a model that refuses is a refusal', async () => {
    const outcome = await createText2Schema({
      preset: 'paper',
      model: roles({ report: [broken('MODEL_CONTENT_FILTERED')] }),
    }).design(SCHOOL);
    expect(outcome).toMatchObject({ type: 'refused', reason: 'It broke.' });
  });

  it('a budget of calls ends the design after that many, and is new for each', async () => {
    const report = { thinking: '', outcome: 'report', reason: '', ...SCHOOL_REPORT, next: null };
    const model = scriptedModel(() => JSON.stringify(report));
    const text2schema = createText2Schema({ preset: 'paper', model, budget: { maxCalls: 1 } });
    for (const _ of [1, 2]) {
      const outcome = await text2schema.design(SCHOOL);
      expect(outcome).toMatchObject({
        type: 'budgetExceeded',
        calls: 1,
        artefacts: { report: { title: 'Enrolment' } },
      });
    }
  });

  it('unreadable answers are asked for three times, at temperature and top p of 1', async () => {
    const model = scriptedModel(() => 'I will not.');
    const outcome = await createText2Schema({ preset: 'paper', model }).design(SCHOOL);
    expect(outcome).toMatchObject({ type: 'failed', error: { code: 'MODEL_OUTPUT_INVALID' }, calls: 3 });
    expect(model.requests).toHaveLength(3);
    expect(model.requests[0]).toMatchObject({ temperature: 1, topP: 1 });
  });

  it('a model of a role is asked for that role alone, with settings of one’s own', async () => {
    const main = roles();
    const reviewer = scriptedRoles(FORWARD, 'second');
    const outcome = await createText2Schema({
      preset: 'paper',
      model: main,
      models: { 'conceptual-reviewer': reviewer },
    }).design(SCHOOL);
    expect(reviewer.asked).toEqual(['review']);
    expect(main.asked).not.toContain('review');
    expect(outcome.solvedBy).toEqual(['scripted', 'second']);
    const cold = scriptedModel(() => '{}');
    await createText2Schema({ preset: 'paper', model: cold, temperature: 0, topP: 0.5, maxAttempts: 1 }).design(SCHOOL);
    expect(cold.requests).toMatchObject([{ temperature: 0, topP: 0.5 }]);
  });
});

describe('events', () => {
  it('tell each turn with role and round, also to a listener that fails', async () => {
    const events: RunEvent[] = [];
    const onEvent = (event: RunEvent) => {
      events.push(event);
      throw new Error('listener');
    };
    await createText2Schema({ preset: 'paper', model: roles(), onEvent }).design(SCHOOL, { runId: 'r1' });
    const turns = events.flatMap((event) => (event.type === 'call' && event.call === 'turn' ? [event.data] : []));
    expect(turns.map(({ role, chat, round }) => [role, chat, round])).toEqual([
      ['product-manager', 'schema-agent', 1],
      ['conceptual-designer', 'conceptual-design', 1],
      ['conceptual-reviewer', 'conceptual-design', 2],
      ['logical-designer', 'schema-agent', 3],
      ['qa-engineer', 'schema-agent', 4],
      ['test-executor', 'schema-agent', 5],
    ]);
    expect(events.every(({ runId }) => runId === 'r1')).toBe(true);
  });
});
