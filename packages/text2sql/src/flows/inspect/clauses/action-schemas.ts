import type { JsonSchema, ToolDefinition } from '@askema/core';
import * as z from 'zod';
import { type ClauseActionName, CONDITION_OPERATORS } from './clause-action.ts';

/*
 * What a model writes. Every field is required and nothing is null, bounded or optional, which strict structured output
 * of vendors asks for: what does not apply is an empty string, an empty list, `none` or 0. `parseActions` turns it into
 * `ClauseAction`s and takes looser forms too.
 */

const EXPRESSION = 'A column as alias.column, or an SQL expression.';
const RELATION = 'A table of the schema, or $id of a sub-question.';
const ALIAS = 'A short name for it; empty for none.';

const operand = z.object({
  kind: z
    .enum(['text', 'number', 'boolean', 'expression'])
    .describe('text, number, boolean: a value. expression: a column, SQL, or $id of a sub-question.'),
  value: z.string().describe('The value as it is stored, without quotes; or the SQL of an expression.'),
});

const condition = {
  left: z.string().describe(`What is tested. ${EXPRESSION} For exists: $id of a sub-question.`),
  operator: z.enum(CONDITION_OPERATORS).describe('holds: left is a whole condition by itself.'),
  right: z.array(operand).describe('One for comparisons, two for between, any number for in, otherwise none.'),
  link: z
    .enum(['and', 'or', 'none'])
    .describe('How it is linked to the condition before it in this clause; none for the first.'),
  group: z
    .number()
    .describe('Neighbouring conditions of the same number above 0 stand in brackets together; 0 for no group.'),
};

const schemas = {
  add_from: z.object({
    relation: z.string().describe(RELATION),
    alias: z.string().describe(ALIAS),
    joins: z
      .array(
        z.object({
          kind: z.enum(['inner', 'left', 'right', 'full', 'cross']),
          relation: z.string().describe(RELATION),
          alias: z.string().describe(ALIAS),
          on: z
            .array(
              z.object({
                left: z.string().describe('A column, as alias.column.'),
                right: z.string().describe('The column that has to be equal, as alias.column.'),
              }),
            )
            .describe(
              'Pairs of columns that have to be equal; empty for a cross join, or where condition says it all.',
            ),
          condition: z
            .string()
            .describe('Anything else the join demands, as SQL, such as TRIM(a.code) = TRIM(b.code); usually empty.'),
        }),
      )
      .describe('In the order in which they are joined; may be empty.'),
  }),
  add_where: z.object(condition),
  add_group_by: z.object({ expressions: z.array(z.string()).describe(EXPRESSION) }),
  add_having: z.object(condition),
  add_order_by: z.object({
    keys: z.array(
      z.object({
        expression: z.string().describe(EXPRESSION),
        direction: z.enum(['asc', 'desc']),
        nulls: z.enum(['first', 'last', 'none']).describe('Where NULLs stand; none leaves it to the database.'),
      }),
    ),
  }),
  add_limit: z.object({
    count: z.number().describe('How many rows, a whole number.'),
    offset: z.number().describe('How many rows are skipped before; usually 0.'),
  }),
  add_select: z.object({
    distinct: z.boolean().describe('True for rows that differ from each other.'),
    items: z.array(
      z.object({
        expression: z.string().describe(`${EXPRESSION} Aggregates as count(*).`),
        alias: z.string().describe('The name of the column in the result; empty for none.'),
      }),
    ),
  }),
  add_merge: z.object({
    operator: z.enum(['union', 'union all', 'intersect', 'except']),
  }),
  qa: z.object({
    id: z.string().describe('A word, such as q1: other arguments name the answer as $q1.'),
    question: z.string().describe('A whole question that can be answered by itself.'),
    use: z
      .enum(['value', 'list', 'rows'])
      .describe('value: a single value. list: for in and exists. rows: a table to join.'),
  }),
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
export const CLAUSE_TOOLS: readonly ToolDefinition[] = (Object.keys(schemas) as ClauseActionName[]).map((name) => ({
  name,
  description: DESCRIPTIONS[name],
  parameters: jsonSchema(schemas[name]),
}));

const actionInput = z.discriminatedUnion('action', [
  z.object({ action: z.literal('add_from'), ...schemas.add_from.shape }),
  z.object({ action: z.literal('add_where'), ...schemas.add_where.shape }),
  z.object({ action: z.literal('add_group_by'), ...schemas.add_group_by.shape }),
  z.object({ action: z.literal('add_having'), ...schemas.add_having.shape }),
  z.object({ action: z.literal('add_order_by'), ...schemas.add_order_by.shape }),
  z.object({ action: z.literal('add_limit'), ...schemas.add_limit.shape }),
  z.object({ action: z.literal('add_select'), ...schemas.add_select.shape }),
  z.object({ action: z.literal('add_merge'), ...schemas.add_merge.shape }),
  z.object({ action: z.literal('qa'), ...schemas.qa.shape }),
]);

/**
 * A whole sequence as structured output: what strict modes of vendors hold a model to. `parseActions` reads its
 * `actions`.
 */
export const clauseActionsOutput = z.object({
  actions: z.array(actionInput).describe('One action for each clause; conditions one by one.'),
});

/** One action as a model writes it under {@link clauseActionsOutput}. */
export type ClauseActionInput = z.infer<typeof actionInput>;
export type ClauseActionsOutput = z.infer<typeof clauseActionsOutput>;

function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema);
  return rest as JsonSchema;
}
