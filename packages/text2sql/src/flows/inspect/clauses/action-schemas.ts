import type { JsonSchema, ToolDefinition } from '@askema/core';
import * as z from 'zod';
import { type ClauseActionName, CONDITION_OPERATORS } from './clause-action.ts';

/*
 * What a model writes. Every field is required and nothing is null, bounded or optional, which strict structured output
 * of vendors asks for: what does not apply is an empty string, an empty list, `none` or 0. The prompt says what stands
 * where: descriptions here would be sent with every request. `parseActions` turns it into `ClauseAction`s and takes
 * other forms too.
 */

const operand = z.object({ kind: z.enum(['text', 'number', 'boolean', 'expression']), value: z.string() });

/** `hive AS h` */
const relation = z.string();

const schemas = {
  add_from: z.object({
    relation,
    joins: z.array(
      z.object({
        kind: z.enum(['inner', 'left', 'right', 'full', 'cross']),
        relation,
        /** `h.apiary_id = a.apiary_id` */
        on: z.array(z.string()),
      }),
    ),
  }),
  add_condition: z.object({
    left: z.string(),
    operator: z.enum(CONDITION_OPERATORS),
    right: z.array(operand),
    link: z.enum(['and', 'or', 'none']),
    group: z.number(),
  }),
  /** `DISTINCT a.title`, `COUNT(*) AS hives`; those of a sort end in `DESC NULLS LAST` and the like. */
  add_expressions: z.object({ expressions: z.array(z.string()) }),
  add_limit: z.object({ count: z.number(), offset: z.number() }),
  add_merge: z.object({ operator: z.enum(['union', 'union all', 'intersect', 'except']) }),
  qa: z.object({ id: z.string(), question: z.string(), use: z.enum(['value', 'list', 'rows']) }),
} as const;

const ARGUMENTS = {
  add_from: schemas.add_from,
  add_where: schemas.add_condition,
  add_group_by: schemas.add_expressions,
  add_having: schemas.add_condition,
  add_order_by: schemas.add_expressions,
  add_limit: schemas.add_limit,
  add_select: schemas.add_expressions,
  add_merge: schemas.add_merge,
  qa: schemas.qa,
} as const satisfies Record<ClauseActionName, z.ZodType>;

const DESCRIPTIONS: Readonly<Record<ClauseActionName, string>> = {
  add_from: 'FROM: the first table and all joins of the query.',
  add_where: 'WHERE: one condition on rows.',
  add_group_by: 'GROUP BY: everything by which rows are grouped.',
  add_having: 'HAVING: one condition on groups.',
  add_order_by: 'ORDER BY: how the result is sorted.',
  add_limit: 'LIMIT: how many rows the result has at most.',
  add_select: 'SELECT: the columns of the result, in order. Once for each query.',
  add_merge: 'UNION, INTERSECT or EXCEPT: ends one query; the actions behind it make the next one.',
  qa: 'Asks a sub-question whose answer other arguments use as $id.',
};

/** The nine actions as tools, for models that have tools. */
export const CLAUSE_TOOLS: readonly ToolDefinition[] = (Object.keys(ARGUMENTS) as ClauseActionName[]).map((name) => ({
  name,
  description: DESCRIPTIONS[name],
  parameters: jsonSchema(ARGUMENTS[name]),
}));

const actionInput = z.discriminatedUnion('action', [
  z.object({ action: z.literal('add_from'), ...schemas.add_from.shape }),
  z.object({ action: z.enum(['add_where', 'add_having']), ...schemas.add_condition.shape }),
  z.object({ action: z.enum(['add_group_by', 'add_order_by', 'add_select']), ...schemas.add_expressions.shape }),
  z.object({ action: z.literal('add_limit'), ...schemas.add_limit.shape }),
  z.object({ action: z.literal('add_merge'), ...schemas.add_merge.shape }),
  z.object({ action: z.literal('qa'), ...schemas.qa.shape }),
]);

/**
 * A whole sequence as structured output: what strict modes of vendors hold a model to. `parseActions` reads its
 * `actions`.
 */
export const clauseActionsOutput = z.object({
  actions: z.array(actionInput),
});

/** One action as a model writes it under {@link clauseActionsOutput}. */
export type ClauseActionInput = z.infer<typeof actionInput>;
export type ClauseActionsOutput = z.infer<typeof clauseActionsOutput>;

function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema);
  return rest as JsonSchema;
}
