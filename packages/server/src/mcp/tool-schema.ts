import type { JsonSchema } from '@askema/core';
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';

/**
 * A schema that clients are shown and nothing is checked against: tools check their input themselves, and tell what is
 * wrong with it in a reply of their own.
 */
export function shownSchema(json: JsonSchema): StandardSchemaWithJSON {
  const shown = (): Record<string, unknown> => ({ ...(json as Record<string, unknown>) });
  return {
    '~standard': {
      version: 1,
      vendor: 'askema',
      validate: (value) => ({ value }),
      jsonSchema: { input: shown, output: shown },
    },
  };
}
