import { defineStep, modelName, type Solved, type StepContext, textOf } from '@askema/core';
import { cleanSql } from '../clean-sql.ts';
import { renderDirectSql } from '../tasks/direct-sql.ts';
import type { Text2SqlDeps } from '../text2sql-deps.ts';
import type { Text2SqlState } from '../text2sql-state.ts';
import { callModel, requireModel } from './call-model.ts';
import { type AskedInput, readAsked, recordSpent } from './sql-input.ts';

/** The only model call of the `direct` baseline: schema and question in, SQL out, no structure, no second try. */
export const generateDirect = defineStep<Text2SqlState, Text2SqlDeps>()({
  name: 'generate-direct',
  prep: readAsked,
  exec: (asked, context): Promise<Solved<string>> => generate(asked, context),
  post: (state, _asked, solved) => {
    recordSpent(state, solved);
    state.generatedSql = solved.value;
    state.debugAttempts = 0;
  },
});

async function generate(asked: AskedInput, context: StepContext<Text2SqlDeps>): Promise<Solved<string>> {
  const model = requireModel(context.deps, 'direct');
  const { question, schemaText, evidence, documents } = asked;
  const { dialect } = context.deps.adapter;
  const messages = renderDirectSql({
    question,
    schemaText,
    dialect,
    evidence: evidence ?? undefined,
    documents: documents ?? undefined,
  });
  const result = await callModel(model, { messages }, context);
  return {
    value: cleanSql(textOf(result.content)),
    usage: result.usage,
    calls: 1,
    solvedBy: result.answeredBy ?? modelName(model),
    warnings: result.warnings,
  };
}
