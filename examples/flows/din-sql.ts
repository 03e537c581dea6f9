/**
 * DIN-SQL (Pourreza and Rafiei, 2023, https://arxiv.org/abs/2304.11015) in four calls: what of the schema the question
 * is about (section 4.1), how hard it is (4.2), a statement by a prompt for its class (4.3), and a second look at that
 * statement without running it (4.4). Prompts are our own, and hold no demonstrations.
 */
import { createFlow, defineStep, defineTask, end, fence } from '@askema/core';
import {
  cleanSql,
  executeSql,
  type FlowDeps,
  type FlowState,
  getSchema,
  type PromptInput,
  readQuestion,
  recordSpent,
  sqlInput,
  taskMessages,
  text2SqlFlow,
} from '@askema/text2sql';
import * as z from 'zod';

interface DinSqlSlice {
  /** Attributes, join conditions and values that the question means. */
  links: readonly string[];
  /** Where the answer needs a query inside a query. */
  subQuestions: readonly string[];
}
type State = FlowState<DinSqlSlice>;
type Deps = FlowDeps<object>;

const linkSchema = defineTask({
  id: 'din-sql.link-schema',
  version: 1,
  render: (input: PromptInput) =>
    taskMessages(input, {
      job: 'Do not write SQL yet. Go through the question phrase by phrase, and find the attributes and stored values that each phrase means. Then find how the relations of these attributes are joined, through others where no key leads there directly.',
    }),
  output: z.object({
    reasoning: z.string().describe('Phrase by phrase, in short.'),
    links: z
      .array(z.string())
      .describe('`relation.attribute`, and `relation.attribute = relation.attribute` for joins.'),
    values: z.array(z.string()).describe('What the question compares with: numbers, names, dates; as they are stored.'),
  }),
});

type Linked = PromptInput & Pick<DinSqlSlice, 'links'>;

const linksSection = ({ links }: Linked): string =>
  `What the question was found to be about:\n${fence('links', links.join('\n'))}`;

const classify = defineTask({
  id: 'din-sql.classify',
  version: 1,
  render: (input: Linked) =>
    taskMessages(input, {
      job: 'Do not write SQL yet. Say what kind of statement answers the question.',
      sections: [linksSection(input)],
    }),
  output: z.object({
    reasoning: z.string().describe('Does it need more than one relation? Does it need a result to find another?'),
    kind: z
      .enum(['easy', 'joined', 'nested'])
      .describe(
        'easy: one relation, no query inside another. joined: several relations, no query inside another. nested: a query inside another, or a UNION, INTERSECT or EXCEPT of two.',
      ),
    sub_questions: z.array(z.string()).describe('Only for nested: the questions that have to be answered first.'),
  }),
});

const sql = z.string().describe('The whole statement, without a trailing semicolon.');
const outline = z
  .string()
  .describe('The statement in brief: what is shown, compared, grouped and sorted, without FROM, joins and GROUP BY.');

/** One prompt for each class: the harder it is, the more stands between question and statement. */
const writeTask = <Out extends { readonly sql: string }>(kind: string, job: string, output: z.ZodType<Out>) =>
  defineTask({
    id: `din-sql.write-${kind}`,
    version: 1,
    render: (input: Linked & Pick<DinSqlSlice, 'subQuestions'>) => {
      const { subQuestions } = input;
      const asked = fence('sub-questions', subQuestions.join('\n'));
      const sections = subQuestions.length === 0 ? [] : [`What has to be answered on the way:\n${asked}`];
      return taskMessages(input, { job, sections: [linksSection(input), ...sections] });
    },
    output,
  });

const proofread = defineTask({
  id: 'din-sql.proofread',
  version: 1,
  render: (input: PromptInput & { readonly draft: string }) =>
    taskMessages(input, {
      job: 'Somebody wrote the statement below for the question. Read it as a reviewer: are all names of the schema, are joins along keys, are the right columns shown, is anything grouped, sorted, filtered or repeated that should not be? Mend what is wrong. Where nothing is, give it back as it is.',
      sections: [fence('statement', input.draft)],
    }),
  output: z.object({ problems: z.string().describe('What is wrong; empty where nothing is.'), sql }),
});

const step = defineStep<State, Deps>();

const linkStep = step({
  name: 'link-schema',
  prep: readQuestion,
  exec: async (asked, context) =>
    context.deps.solver.solve(linkSchema, await sqlInput(asked, context.deps, context), context),
  post: (state, _asked, solved) => {
    recordSpent(state, solved);
    state.flow.links = [...solved.value.links, ...solved.value.values];
  },
});

const classifyStep = step({
  name: 'classify',
  actions: ['easy', 'joined', 'nested'],
  prep: (state) => ({ ...readQuestion(state), links: state.flow.links }),
  exec: async (asked, context) =>
    context.deps.solver.solve(classify, await sqlInput(asked, context.deps, context), context),
  post: (state, _asked, solved) => {
    recordSpent(state, solved);
    const { kind, sub_questions } = solved.value;
    state.flow.subQuestions = kind === 'nested' ? sub_questions : [];
    return kind;
  },
});

const writeStep = <const Kind extends string, Out extends { readonly sql: string }>(
  kind: Kind,
  job: string,
  output: z.ZodType<Out>,
) => {
  const task = writeTask(kind, job, output);
  return step({
    name: `write-${kind}`,
    prep: (state) => ({ ...readQuestion(state), ...state.flow }),
    exec: async (asked, context) =>
      context.deps.solver.solve(task, await sqlInput(asked, context.deps, context), context),
    post: (state, _asked, solved) => {
      recordSpent(state, solved);
      state.generatedSql = cleanSql(solved.value.sql);
    },
  });
};

const proofreadStep = step({
  name: 'proofread',
  prep: (state) => ({ ...readQuestion(state), draft: state.generatedSql ?? '' }),
  exec: async (asked, context) =>
    context.deps.solver.solve(proofread, await sqlInput(asked, context.deps, context), context),
  post: (state, _asked, solved) => {
    recordSpent(state, solved);
    state.generatedSql = cleanSql(solved.value.sql) || state.generatedSql;
    state.explanation = solved.value.problems.trim() || null;
  },
});

const steps = createFlow<State, Deps>({ name: 'din-sql' })
  .step(getSchema, { default: 'link-schema' })
  .step(linkStep, { default: 'classify' })
  .step(classifyStep, { easy: 'write-easy', joined: 'write-joined', nested: 'write-nested' })
  .step(writeStep('easy', 'Write the statement.', z.object({ sql })), { default: 'proofread' })
  .step(
    writeStep(
      'joined',
      'Think about which relations are joined and why, outline the statement, then write it.',
      z.object({ reasoning: z.string(), outline, sql }),
    ),
    { default: 'proofread' },
  )
  .step(
    writeStep(
      'nested',
      'Write a statement for each of the sub-questions, outline how they come together, then write the one statement that answers the question.',
      z.object({ parts: z.array(z.object({ sub_question: z.string(), sql: z.string() })), outline, sql }),
    ),
    { default: 'proofread' },
  )
  .step(proofreadStep, { default: 'execute-sql' })
  // The second look was the only correction: a statement that fails is the outcome.
  .step(executeSql, { default: end, error_retry: end('failed'), failed: end })
  .build();

/** The flow. It only reads. */
export function dinSql() {
  return text2SqlFlow({
    flow: steps,
    access: 'read',
    needs: 'model',
    begin: (): DinSqlSlice => ({ links: [], subQuestions: [] }),
    open: (): object => ({}),
  });
}
