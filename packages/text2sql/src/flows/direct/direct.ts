import { createFlow, defineStep, end, modelName, type Solved, type StepContext, textOf } from '@askema/core';
import { cleanSql } from '../../prompts/clean-sql.ts';
import { type FlowDeps, type FlowState, text2SqlFlow } from '../../question/flow-spec.ts';
import type { QuestionDeps } from '../../question/question-deps.ts';
import { type QuestionData, readQuestion, recordSpent } from '../../question/question-input.ts';
import type { QuestionState } from '../../question/question-state.ts';
import { callModel, requireModel } from '../../steps/call-model.ts';
import { executeSql } from '../../steps/execute-sql.ts';
import { getSchema } from '../../steps/get-schema.ts';
import { renderDirectSql } from './tasks/direct-sql.ts';

/** The only model call of the `direct` baseline: schema and question in, SQL out, no structure, no second try. */
const generateDirect = defineStep<QuestionState, QuestionDeps>()({
  name: 'generate-direct',
  prep: readQuestion,
  exec: (asked, context): Promise<Solved<string>> => generate(asked, context),
  post: (state, _asked, solved) => {
    recordSpent(state, solved);
    state.generatedSql = solved.value;
    state.debugAttempts = 0;
    // A baseline: nothing is mended, whatever is allowed.
    state.maxDebugAttempts = 1;
  },
});

async function generate(asked: QuestionData, context: StepContext<QuestionDeps>): Promise<Solved<string>> {
  const model = requireModel(context.deps, 'direct');
  const { question, schemaText, evidence, documents, follows } = asked;
  const { dialect } = context.deps.adapter;
  const messages = renderDirectSql({
    question,
    schemaText,
    dialect,
    evidence: evidence ?? undefined,
    documents: documents ?? undefined,
    follows,
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

const steps = createFlow<FlowState<object>, FlowDeps<object>>({ name: 'direct', version: 2 })
  .step(getSchema, { default: 'generate-direct' })
  .step(generateDirect, { default: 'execute-sql' })
  .step(executeSql, { default: end, error_retry: end('failed'), failed: end })
  .build();

/**
 * A baseline to measure other flows against, not one to use: schema and question in one prompt, the answer run once.
 */
export function direct() {
  return text2SqlFlow({
    flow: steps,
    access: 'write',
    needs: 'model',
    sampleValues: 0,
    begin: (): object => ({}),
    open: (): object => ({}),
  });
}
