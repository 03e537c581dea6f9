import { AskemaError, type GenerateSqlInput, textOf } from '@askema/core';
import { scriptedModel } from '@askema/testkit';
import { expect, it } from 'vitest';
import { createText2Sql } from '../ask.ts';
import { createText2Sql as createText2SqlOfAll } from '../create-text2sql.ts';
import { scriptedAdapter } from '../fixtures/scripted-adapter.ts';
import { scriptedSolver, sqlOutput } from '../fixtures/scripted-solver.ts';
import { inspect } from '../flows/inspect/inspect.ts';
import { react } from '../flows/react/react.ts';

const tooLong = () => new AskemaError('MODEL_CONTEXT_TOO_LONG', 'The prompt does not fit.');
const refused = () =>
  new AskemaError('QUERY_FAILED', 'There is no such column.', { details: { errorClass: 'identifier' } });

async function ask(answers: readonly (string | Error)[], run: () => readonly [number][] | AskemaError = () => [[1]]) {
  const model = scriptedSolver(answers);
  await using text2sql = createText2Sql({ adapter: scriptedAdapter(run), model, linkValues: false });
  const outcome = await text2sql.ask('How many customers are there?');
  const lengths = model.asked.map(({ input }) => (input as GenerateSqlInput).schemaText.length);
  return { outcome, lengths };
}

it('asks once more with half the schema where a prompt is too long, and says so', async () => {
  const { outcome, lengths } = await ask([tooLong(), 'SELECT 1']);
  expect(outcome.type).toBe('answered');
  expect(outcome.warnings).toContainEqual(expect.stringMatching(/with at most \d+ tokens of the schema/));
  const [whole = 0, half = 0] = lengths;
  expect(half).toBeGreaterThan(0);
  expect(half).toBeLessThanOrEqual(whole / 2);
});

it('keeps to it for the rest of the run, and shrinks no further', async () => {
  let runs = 0;
  const run = () => {
    runs += 1;
    return runs === 1 ? refused() : ([[1]] as const);
  };
  const mended = await ask([tooLong(), 'SELECT nam', 'SELECT 1'], run as never);
  expect(mended.outcome.type).toBe('answered');
  expect(mended.lengths[2]).toBe(mended.lengths[1]);
  const { outcome, lengths } = await ask([tooLong(), tooLong(), 'SELECT 1']);
  expect(outcome).toMatchObject({ type: 'failed', error: { code: 'MODEL_CONTEXT_TOO_LONG' } });
  expect(lengths).toHaveLength(2);
});

it('leaves other errors as they are', async () => {
  const { outcome, lengths } = await ask([new AskemaError('MODEL_AUTHENTICATION', 'No key.'), 'SELECT 1']);
  expect(outcome).toMatchObject({ type: 'failed', error: { code: 'MODEL_AUTHENTICATION' } });
  expect(lengths).toHaveLength(1);
});

it.each([
  ['react', () => react()],
  ['inspect', () => inspect()],
] as const)('does so in the conversation of %s with a model that has tools', async (_, flow) => {
  const model = scriptedModel((request) => {
    if (model.requests.length === 1) throw tooLong();
    return request.tools?.some(({ name }) => name === 'decline')
      ? { toolCalls: [{ id: '1', name: 'decline', arguments: { outcome: 'unanswerable', explanation: 'No.' } }] }
      : { toolCalls: [{ id: '1', name: 'terminate', arguments: { ...sqlOutput('SELECT 1') } }] };
  });
  await using text2sql = createText2SqlOfAll({ adapter: scriptedAdapter(() => [[1]]), model, flow: flow() });
  const outcome = await text2sql.ask('How many customers are there?');
  expect(outcome.warnings).toContainEqual(expect.stringMatching(/with at most \d+ tokens of the schema/));
  const [whole = '', half = ''] = model.requests.map(({ messages }) =>
    messages.map(({ content }) => textOf(content)).join(),
  );
  expect(half.length).toBeLessThan(whole.length);
  expect(half).toContain('How many customers are there?');
});
