import { AskemaError, type ModelRequest, textOf } from '@askema/core';
import { sqlparserTs } from '@askema/sql-parser';
import { type DescribeFlowOptions, describeFlow, type ScriptedReply } from '@askema/testkit';
import { afterAll } from 'vitest';
import { createText2Sql } from '../create-text2sql.ts';
import { failedQuery, scriptedAdapter } from '../fixtures/scripted-adapter.ts';
import { sqlOutput } from '../fixtures/scripted-solver.ts';
import { auto } from './auto/auto.ts';
import { direct } from './direct/direct.ts';
import { inspect } from './inspect/inspect.ts';
import { from, gives, qa, revises, select, where } from './inspect/inspect-fixture.ts';
import { plain } from './plain/plain.ts';
import { react } from './react/react.ts';
import { refine } from './refine/refine.ts';
import { threadModel, writes } from './refine/refine-fixture.ts';

const promptOf = ({ messages }: ModelRequest): string => messages.map(({ content }) => textOf(content)).join('\n');

/** Knows no column `bad`, and lets nothing write. */
const adapter = () =>
  scriptedAdapter((sql) => {
    if (/drop|delete/i.test(sql)) return new AskemaError('QUERY_NOT_READ_ONLY', 'this statement writes');
    if (/\bbad\b|teapot|x{50}/i.test(sql)) return failedQuery(`no such column in ${sql.slice(0, 100)}`);
    return [[1, 'Ann']];
  });

// One for all runs: its thread takes long to start.
const parser = sqlparserTs();
afterAll(() => parser.close());

const describeOurs = (
  name: string,
  flow: Parameters<typeof createText2Sql>[0]['flow'],
  reply: (request: ModelRequest) => ScriptedReply | undefined | Promise<ScriptedReply>,
  more: Pick<DescribeFlowOptions, 'capabilities'> = {},
) =>
  describeFlow(name, (setup) => createText2Sql({ ...setup, parser, flow }), {
    adapter,
    question: 'Who is the first customer?',
    reply,
    ...more,
  });

// A statement that the database refuses, and one that it takes.
describeOurs('plain', plain(), (request) =>
  promptOf(request).includes('no such column')
    ? { json: { explanation: 'the right name', sql: 'SELECT good FROM customer' } }
    : { json: sqlOutput('SELECT bad FROM customer') },
);

// A statement that the database refuses, and a revision: a detail of the result is doubted.
describeOurs('auto', auto({ effort: 'high', refine: { limits: { concurrency: 1 } } }), (request) => {
  const prompt = promptOf(request);
  if (prompt.includes('You check an answer'))
    return { json: { assessment: '', is_right: 'yes', sql: '', explanation: 'as it is' } };
  return prompt.includes('no such column')
    ? { json: { explanation: 'the right name', sql: 'SELECT good FROM customer' } }
    : { json: sqlOutput('SELECT bad FROM customer') };
});

describeOurs('direct', direct(), () => '```sql\nSELECT good FROM customer\n```');

// Looks around, ends with a statement that fails, and then with one that does not.
describeOurs('react', react({ maxTurns: 8 }), (request) => {
  const seen = JSON.stringify(request.messages);
  const [name, sql] = !seen.includes('SELECT look')
    ? ['execute_sql', 'SELECT look FROM customer']
    : ['terminate', `SELECT ${seen.includes('no such column') ? 'good' : 'bad'} FROM customer`];
  return { toolCalls: [{ name, arguments: name === 'terminate' ? sqlOutput(sql) : { sql } }] };
});

// A sub-question, and a statement that the database refuses.
describeOurs(
  'inspect',
  inspect({ reviseFrom: 'error', stages: { retriever: false } }),
  (request) => {
    const prompt = promptOf(request);
    if (prompt.endsWith('Question: What is the mean id?')) return gives(from('customer'), select('AVG(id)'));
    const actions = (column: string) => [
      qa('mean', 'What is the mean id?'),
      from('customer'),
      where('id', '>', '$mean', 'none', 'expression'),
      select(column),
    ];
    return prompt.includes('no such column') ? revises([], ...actions('name')) : gives(...actions('bad'));
  },
  { capabilities: { structuredOutput: true, tools: false } },
);

// Three threads, of which the first mends a statement.
const threads = threadModel({
  write: ({ thread, prompt }) =>
    writes(`SELECT ${thread === 0 && !prompt.includes('no such column') ? 'bad' : 'good'} FROM customer`),
  ctes: () => ({ json: { thinking: '', sql: 'SELECT good FROM customer', steps: [], explanation: '' } }),
  other: () => 'I am a teapot.',
});
describeOurs('refine', refine({ limits: { concurrency: 1 } }), (request) =>
  threads.generate(request).then(({ content }) => ({ text: textOf(content) })),
);
