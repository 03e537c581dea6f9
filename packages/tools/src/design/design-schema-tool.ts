import type { Dialect, Schema } from '@askema/core';
import { writeDdl } from '@askema/dialects';
import type { DesignOutcome, Text2Schema } from '@askema/text2schema';
import { z } from 'zod';
import type { Tool, ToolReply } from '../contract.ts';
import { cutText } from '../reply/cut-text.ts';
import { withData } from '../reply/data-block.ts';
import { errorJson } from '../reply/error-json.ts';
import { makeTool } from '../reply/make-tool.ts';
import type { ReplyLimits } from '../reply/reply-limits.ts';

/** What designs, and for which engine. */
export interface DesignTools {
  readonly text2schema: Pick<Text2Schema, 'design'>;
  /** Of the DDL. */
  readonly dialect: Dialect;
}

const designOutput = z.looseObject({
  ddl: z.string().optional(),
  assumptions: z.array(z.unknown()).optional(),
});

/** Items of a list that a reply holds. */
const MAX_ITEMS = 10;

/** Designs a schema for a requirement, and writes it as DDL; nothing is created anywhere. */
export function designSchemaTool({ text2schema, dialect }: DesignTools, limits: ReplyLimits): Tool {
  return makeTool({
    name: 'design_schema',
    title: 'Design',
    description: 'Designs tables, as DDL.',
    input: z.strictObject({ requirement: z.string() }),
    output: designOutput,
    idempotent: false,
    async run({ requirement }, { signal, tags, onEvent }) {
      const given = { signal, onEvent, ...(tags === undefined ? {} : { tags }) };
      return replyOf(await text2schema.design(requirement, given), dialect, limits);
    },
  });
}

function replyOf(
  outcome: DesignOutcome,
  dialect: Dialect,
  { maxCharacters }: ReplyLimits,
): ToolReply<z.infer<typeof designOutput>> {
  const share = maxCharacters / 12;
  const schema = 'schema' in outcome ? outcome.schema : undefined;
  const ddl = ddlWithin(schema, dialect, maxCharacters / 2);
  const assumptions = outcome.assumptions.slice(0, MAX_ITEMS).map((text) => cutText(text, share / 4));
  const questions =
    outcome.type === 'needsClarification'
      ? outcome.questions.slice(0, MAX_ITEMS).map(({ question, assumption }) => ({
          question: cutText(question, share / 5),
          assumption: cutText(assumption, share / 5),
        }))
      : [];
  const error = 'error' in outcome ? errorJson(outcome.error, share) : undefined;
  const reason = outcome.type === 'refused' ? cutText(outcome.reason, share) : undefined;
  return {
    structured: {
      type: outcome.type,
      runId: outcome.runId,
      ...ddl,
      ...(outcome.type === 'designed' ? { accepted: outcome.accepted } : {}),
      assumptions,
      ...(questions.length > 0 ? { questions } : {}),
      ...(reason === undefined ? {} : { reason }),
      ...(error === undefined ? {} : { error }),
    },
    text: withData(`${outcome.type}.${ddl.truncated === undefined ? '' : ` ${ddl.truncated}`}`, 'design', [
      ...(ddl.ddl === undefined ? [] : [ddl.ddl]),
      ...assumptions.map((text) => `Assumed: ${text}`),
      ...questions.map(({ question }) => `Question: ${question}`),
      ...(reason === undefined ? [] : [reason]),
      ...(error === undefined ? [] : [error.message]),
    ]),
    isError: outcome.type !== 'designed' && outcome.type !== 'needsClarification',
  };
}

/** Whole statements only, as far as there is room. */
function ddlWithin(
  schema: Schema | undefined,
  dialect: Dialect,
  room: number,
): { readonly ddl?: string; readonly truncated?: string } {
  if (schema === undefined) return {};
  const ddl = writeDdl(schema, dialect);
  if (cutText(ddl, room) === ddl) return { ddl };
  const kept = ddl.slice(0, Math.max(0, ddl.lastIndexOf(';\n', room) + 2));
  return { ddl: kept, truncated: 'Only the first statements are here: design a part of the requirement at a time.' };
}
