import { AskemaError, memoryJournal } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { createText2Schema } from '../create-text2schema.ts';
import { FORWARD, KEPT, PROPOSED, SCHOOL, SCHOOL_PLAN, SCHOOL_REPORT } from '../fixtures/school.ts';
import { scratch } from '../fixtures/scratch.ts';
import { type RoleScript, scriptedRoles } from '../fixtures/scripted-roles.ts';

const roles = (script: RoleScript = {}) => scriptedRoles({ ...FORWARD, ...script });
const broken = (code: 'MODEL_UNAVAILABLE' | 'BUDGET_EXCEEDED' | 'MODEL_CONTENT_FILTERED') =>
  new AskemaError(code, 'It broke.', { details: { usage: { inputTokens: 5 }, calls: 1 } });

describe('with a journal', () => {
  it('a run that failed goes on where it failed, and repeats no call', async () => {
    const journal = memoryJournal();
    const model = roles({ 'test-plan': [broken('MODEL_UNAVAILABLE'), { plan: SCHOOL_PLAN }] });
    const text2schema = createText2Schema({ preset: 'paper', model, scratch, journal });
    expect(await text2schema.design(SCHOOL, { runId: 'r1' })).toMatchObject({ type: 'failed' });
    const outcome = await text2schema.resume('r1');
    expect(outcome).toMatchObject({ type: 'designed', accepted: true, calls: 7 });
    expect(model.asked.filter((task) => task !== 'test-plan')).toHaveLength(6);
    const again = await text2schema.design(SCHOOL, { runId: 'r1' });
    expect({ ...again, elapsedMs: 0 }).toEqual({ ...outcome, elapsedMs: 0 });
    expect(model.asked).toHaveLength(8);
    await expect(text2schema.design('Something else.', { runId: 'r1' })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
    const edited = text2schema.design(SCHOOL, { runId: 'r1', artefacts: { report: SCHOOL_REPORT } });
    await expect(edited).rejects.toMatchObject({ message: expect.stringContaining('other artefacts') });
  });

  it('after a crash at each call in turn, the outcome is the same, and no finished call is made again', async () => {
    const expected = await createText2Schema({ preset: 'paper', model: roles(), journal: memoryJournal() }).design(
      SCHOOL,
      {
        runId: 'r1',
      },
    );
    for (let crash = 0; crash < 7; crash += 1) {
      const journal = memoryJournal();
      const dying = scriptedRoles(FORWARD, 'scripted', crash);
      await createText2Schema({ preset: 'paper', model: dying, journal }).design(SCHOOL, { runId: 'r1' });
      const rest = scriptedRoles({ ...FORWARD, 'logical-design': crash < 4 ? [PROPOSED, KEPT] : [KEPT] });
      const outcome = await createText2Schema({ preset: 'paper', model: rest, journal }).resume('r1');
      expect({ ...outcome, elapsedMs: 0 }).toEqual({ ...expected, elapsedMs: 0 });
      expect(rest.asked).toHaveLength(7 - crash);
    }
  });

  it('says what is missing', async () => {
    await expect(createText2Schema({ preset: 'paper', model: roles() }).resume('r1')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    });
    const text2schema = createText2Schema({ preset: 'paper', model: roles(), journal: memoryJournal() });
    await expect(text2schema.resume('r1')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('a journal that cannot be read is an outcome', async () => {
    const journal = { ...memoryJournal(), read: () => Promise.reject(new AskemaError('JOURNAL_INVALID', 'line 3')) };
    const outcome = await createText2Schema({ preset: 'paper', model: roles(), journal }).design(SCHOOL, {
      runId: 'r1',
    });
    expect(outcome).toMatchObject({ type: 'failed', requirement: SCHOOL, error: { code: 'JOURNAL_INVALID' } });
  });
});
