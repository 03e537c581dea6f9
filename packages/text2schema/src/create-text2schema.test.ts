import { fromModel } from '@askema/core';
import { scriptedModel } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { createText2Schema } from './create-text2schema.ts';
import type { Text2SchemaOptions } from './text2schema-options.ts';

const model = scriptedModel([]);
const other = { ...fromModel(model), name: 'other', supports: () => false };
const create = (options: Partial<Text2SchemaOptions>) => createText2Schema({ preset: 'paper', model, ...options });

describe('createText2Schema', () => {
  it.each([
    [{ model: {} as never }, 'CONFIG_INVALID', /`model` is neither a language model nor a solver/],
    [{ models: { 'qa-engineer': 'gpt' as never } }, 'CONFIG_INVALID', /models.qa-engineer/],
    [{ administrator: 'me' as never }, 'CONFIG_INVALID', /administrator/],
    [{ strategy: 'oneshot' as never }, 'CONFIG_INVALID', /`strategy` is "oneshot".* 'one-shot'/],
    [{ maxRounds: 0 }, 'CONFIG_INVALID', /maxRounds/],
    [{ maxInnerRounds: 1.5 }, 'CONFIG_INVALID', /maxInnerRounds/],
    [{ maxAttempts: Number.NaN }, 'CONFIG_INVALID', /maxAttempts/],
    [{ maxRequirementTokens: 10 }, 'CONFIG_INVALID', /maxRequirementTokens/],
    [{ temperature: -1 }, 'CONFIG_INVALID', /temperature/],
    [{ topP: 1.1 }, 'CONFIG_INVALID', /topP/],
    [{ budget: { maxCalls: -1 } }, 'CONFIG_INVALID', /maxCalls/],
    [{ budget: { maxCostUsd: 1 } }, 'CONFIG_INVALID', /price/],
    [{ model: other }, 'CONFIG_INVALID', /other cannot answer `text2schema.report`/],
    [{ models: { 'test-executor': other } }, 'CONFIG_INVALID', /text2schema.test-report/],
    [{ model: other, strategy: 'one-shot' }, 'CONFIG_INVALID', /text2schema.one-shot/],
    [{ model: fromModel(model), budget: { maxCalls: 3 } }, 'CONFIG_INVALID', /withBudget/],
    [{ administrator: fromModel(model), budget: { maxCalls: 3 } }, 'CONFIG_INVALID', /withBudget/],
  ] as const)('refuses %j', (options, code, message) => {
    expect(() => create(options)).toThrow(message);
    expect(() => create(options)).toThrow(expect.objectContaining({ code }));
  });
});
