/**
 * A pipeline of one's own: the plain flow with a step in front of the execution, a prompt of one's own, and a wrapper
 * around the model. It runs without a key because the model is a script; put `openai({ model: '…' })` in its place.
 */
import { defineStep, type LanguageModel, systemMessage } from '@askema/core';
import { sqlite } from '@askema/sqlite';
import { scriptedModel } from '@askema/testkit';
import {
  createText2Sql,
  generateSqlTask,
  plain,
  type QuestionDeps,
  type QuestionState,
  text2SqlFlow,
} from '@askema/text2sql';

// A prompt of one's own: the task with another `render`.
const houseRules = systemMessage('Amounts are in euros. "Active" customers have ordered since 2024-01-01.');
const generateSql: typeof generateSqlTask = {
  ...generateSqlTask,
  render: (input) => [houseRules, ...generateSqlTask.render(input)],
};

// A step of one's own: asks the engine for its verdict before anything runs, and notes it.
const checkPlan = defineStep<QuestionState, QuestionDeps>()({
  name: 'check-plan',
  prep: (state) => state.generatedSql ?? '',
  exec: (sql, context) => context.deps.adapter.planner.check(sql, { timeoutMs: 2_000, context }),
  post: (state, _sql, plan) => void state.warnings.push(`The engine calls it: ${plan.statement ?? plan.verdict}`),
});
const base = plain({ tasks: { generateSql } });
const checked = text2SqlFlow({ ...base, flow: base.flow.before('execute-sql', checkPlan) });

// A wrapper of one's own: a function from a model to a model.
function withTiming(model: LanguageModel, report: (elapsedMs: number) => void): LanguageModel {
  return {
    ...model,
    async generate(request) {
      const started = performance.now();
      const result = await model.generate(request);
      report(performance.now() - started);
      return result;
    },
  };
}

const script = scriptedModel([
  {
    json: {
      outcome: 'sql',
      sql: 'SELECT country, COUNT(*) AS customers FROM customers GROUP BY country ORDER BY customers DESC LIMIT 3',
      explanation: 'Customers counted by country.',
      not_understood: [],
    },
  },
]);
const store = createText2Sql({
  adapter: sqlite({ file: 'examples/store.sqlite' }),
  model: withTiming(script, (elapsedMs) =>
    console.log(`the model took ${elapsedMs < 1_000 ? 'less' : 'more'} than a second`),
  ),
  flow: checked,
});
const outcome = await store.ask('In which three countries do most customers live?');
if (outcome.type !== 'answered') throw new Error(`not answered: ${outcome.type}`);
console.log(outcome.result.rows, outcome.warnings);
await store.close();
