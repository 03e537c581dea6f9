import { AskemaError } from '@askema/core';
import type { Text2Schema, Text2SchemaOptions } from './text2schema-options.ts';

/**
 * Puts a model and a strategy together:
 *
 * ```ts
 * const text2schema = createText2Schema({ model: openai({ model: 'gpt-5-mini' }), scratch: () => sqlite({ file: ':memory:', access: 'write' }) });
 * const outcome = await text2schema.design(requirement);
 * if (outcome.type === 'designed') console.log(outcome.schema);
 * ```
 *
 * @throws AskemaError `CONFIG_INVALID` for options that contradict each other, `INPUT_INVALID` for numbers out of range.
 */
export function createText2Schema(_options: Text2SchemaOptions): Text2Schema {
  throw new AskemaError('INTERNAL', 'createText2Schema is not there yet.');
}
