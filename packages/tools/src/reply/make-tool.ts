import { AskemaError, toAskemaError } from '@askema/core';
import { z } from 'zod';
import type { Tool, ToolContext, ToolReply } from '../contract.ts';
import { cutText } from './cut-text.ts';
import { withData } from './data-block.ts';
import { errorJson } from './error-json.ts';

/** What the author of a tool writes; errors that `run` throws become replies. */
export interface ToolParts<In, Out> extends Omit<Tool<In, Out>, 'call' | 'hints'> {
  readonly idempotent: boolean;
  run(input: In, context: ToolContext): Promise<ToolReply<Out>>;
}

/** Characters of the message of an error. */
const MAX_MESSAGE = 1_500;

/** A tool that checks its input, and whose errors are replies. */
export function makeTool<In, Out extends object>(parts: ToolParts<In, Out>): Tool<In, Out> {
  const { idempotent, run, ...described } = parts;
  return {
    ...described,
    hints: { readOnly: true, destructive: false, idempotent, openWorld: false },
    async call(given, context = {}) {
      try {
        const input = parts.input.safeParse(given);
        if (!input.success) throw inputError(parts.name, input.error);
        return await run(input.data, context);
      } catch (thrown) {
        const error = errorJson(toAskemaError(thrown).toJSON(), MAX_MESSAGE);
        const near = error.details.nearestNames ?? [];
        return {
          structured: { error } as unknown as Out,
          text: withData(`Error ${error.code}.`, 'error', [error.message, ...(near.length > 0 ? [nearest(near)] : [])]),
          isError: true,
        };
      }
    },
  };
}

function nearest(names: readonly string[]): string {
  return `Nearest names: ${names.join(', ')}`;
}

function inputError(name: string, error: z.ZodError): AskemaError {
  return new AskemaError(
    'INPUT_INVALID',
    `The input of \`${name}\` is wrong: ${cutText(z.prettifyError(error), 1_000)}`,
  );
}
