import type { JsonSchema } from '@askema/core';
import { z } from 'zod';
import type { Tool } from './contract.ts';

/** A tool as the `tools/list` of the Model Context Protocol has it. */
export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    /** Only where it is true: false is the default of the protocol. */
    readonly idempotentHint?: true;
    readonly openWorldHint: boolean;
  };
}

/**
 * The tools as plain JSON, in their order: equal tools give equal bytes. Schemas are JSON Schema 2020-12, the default
 * of the protocol, so none names it.
 */
export function toolDefinitions(tools: readonly Tool[]): readonly ToolDefinition[] {
  return tools.map(toolDefinition);
}

export function toolDefinition({ name, title, description, input, output, hints }: Tool): ToolDefinition {
  return {
    ...{ name, title, description, inputSchema: schemaOf(input), outputSchema: schemaOf(output) },
    annotations: {
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      ...(hints.idempotent ? { idempotentHint: true } : {}),
      openWorldHint: hints.openWorld,
    },
  };
}

/**
 * Without `additionalProperties`, items of any kind and a least number of 1: they cost tokens, and each tool checks its
 * input itself.
 */
function schemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    override({ jsonSchema }) {
      delete jsonSchema.additionalProperties;
      if (jsonSchema.minimum === 1) delete jsonSchema.minimum;
      if (Object.keys(jsonSchema.items ?? { any: true }).length === 0) delete jsonSchema.items;
    },
  });
  return json as JsonSchema;
}
