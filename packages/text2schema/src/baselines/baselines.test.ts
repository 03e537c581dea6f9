import { type LanguageModel, memoryJournal } from '@askema/core';
import { scriptedModel } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { createText2Schema } from '../create-text2schema.ts';
import { SCHOOL, SCHOOL_SCHEMA } from '../fixtures/school.ts';
import type { StrategyName } from '../model/index.ts';

const BASELINES = ['one-shot', 'chain-of-thought', 'few-shot', 'guided', 'single-agent'] as const;

/** An answer in the form that each strategy asks for. */
function answer(strategy: StrategyName, schema: object): string {
  if (strategy === 'single-agent') return JSON.stringify({ thought: 'Easy.', step: { tool: 'answer', input: schema } });
  return JSON.stringify(strategy === 'chain-of-thought' ? { thinking: 'Step 1 …', schema } : schema);
}

const design = (strategy: StrategyName, model: LanguageModel, requirement = SCHOOL) =>
  createText2Schema({ model, strategy, maxRequirementTokens: 1000 }).design(requirement);

describe.each(BASELINES)('%s', (strategy) => {
  it('gives a schema with one call, and the transcript of it', async () => {
    const model = scriptedModel([answer(strategy, SCHOOL_SCHEMA)]);
    const outcome = await design(strategy, model);
    expect(outcome).toMatchObject({ type: 'designed', strategy, accepted: true, rounds: 0, calls: 1, warnings: [] });
    if (outcome.type !== 'designed') throw new Error(outcome.type);
    expect(outcome.schema.relations.map(({ name }) => name)).toEqual(['Student']);
    expect(outcome.schema.primaryKeys).toHaveLength(1);
    expect(outcome.artefacts).toMatchObject({ design: { schema: outcome.schema } });
    expect(outcome.transcript.map(({ from, chat, kind }) => [from, chat, kind])).toEqual([
      ['user', strategy, 'forward'],
      [strategy, strategy, 'end'],
    ]);
    expect(outcome.transcript[1]?.text).toContain('key: Student Number');
    expect(model.requests[0]).toMatchObject({ temperature: 1, topP: 1 });
  });

  it('a broken schema is an outcome with warnings, never an exception', async () => {
    const broken = {
      relations: [
        {
          name: 'Order',
          attributes: [
            { name: 'id', type: 'NUMERIC' },
            { name: 'id', type: 'TEXT' },
          ],
          primaryKey: ['nothing', '__proto__'],
          foreignKeys: [{ attributes: ['id'], target: 'Nowhere', targetAttributes: ['x', 'y'] }],
        },
        { name: 'Order', attributes: [], primaryKey: [], foreignKeys: [] },
      ],
    };
    const outcome = await design(strategy, scriptedModel([answer(strategy, broken)]));
    expect(outcome).toMatchObject({ type: 'designed', accepted: false });
    expect(outcome.warnings.join()).toContain('Nowhere');
  });

  it('a schema without relations is not accepted', async () => {
    const outcome = await design(strategy, scriptedModel([answer(strategy, { relations: [] })]));
    expect(outcome).toMatchObject({ type: 'designed', accepted: false });
  });

  it('what cannot be read three times is a failure', async () => {
    const outcome = await design(
      strategy,
      scriptedModel(() => 'no'),
    );
    expect(outcome).toMatchObject({ type: 'failed', error: { code: 'MODEL_OUTPUT_INVALID' }, calls: 3 });
  });

  it('takes no artefacts: there are no phases', async () => {
    const text2schema = createText2Schema({ model: scriptedModel([]), strategy });
    const artefacts = { conceptual: { entitySets: [], relationshipSets: [] } };
    await expect(text2schema.design(SCHOOL, { artefacts })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(text2schema.design('  ')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });
});

it('the single agent uses tools before it answers; a resumed run repeats none of its calls', async () => {
  const scheme = {
    name: 'Student',
    attributes: ['Student Number', 'Name'],
    dependencies: [{ left: ['Student Number'], right: ['Name'] }],
  };
  const use = JSON.stringify({ thought: 'Which key?', step: { tool: 'find_keys', input: { relations: [scheme] } } });
  const journal = memoryJournal();
  const broken = scriptedModel([use]);
  const failed = await createText2Schema({ model: broken, strategy: 'single-agent', journal }).design(SCHOOL, {
    runId: 'r1',
  });
  expect(failed).toMatchObject({ type: 'failed', error: { code: 'RECORDING_MISSING' } });
  const model = scriptedModel([answer('single-agent', SCHOOL_SCHEMA)]);
  const outcome = await createText2Schema({ model, strategy: 'single-agent', journal }).resume('r1');
  expect(outcome).toMatchObject({ type: 'designed', calls: 2 });
  expect(model.requests).toHaveLength(1);
  expect(outcome.transcript[1]?.toolCalls).toMatchObject([
    {
      tool: 'find_keys',
      thought: 'Which key?',
      failed: false,
      observation: expect.stringContaining('(Student Number)'),
    },
  ]);
});

it('only the first part of a long requirement is read, and a warning says so', async () => {
  const model = scriptedModel([answer('one-shot', SCHOOL_SCHEMA)]);
  const outcome = await design('one-shot', model, `${SCHOOL} `.repeat(200));
  expect(outcome.warnings.join()).toContain('only its first part');
});
