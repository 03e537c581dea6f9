/**
 * ACT-SQL (Zhang et al., 2023, https://arxiv.org/abs/2310.17342): one call with examples whose chains of thought nobody
 * wrote. A chain says for each name and value of the SQL which phrase of the question is nearest to it, and is made
 * from question and SQL alone. Some examples are the same for all questions, the others are those most like the
 * question. Without examples, the model is asked for the same form. The prompt is our own.
 */
import { readFileSync } from 'node:fs';
import { AskemaError, createFlow, defineStep, defineTask, end, fence } from '@askema/core';
import { createBm25 } from '@askema/grounding';
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

const trainingLine = z.object({ question: z.string(), sql: z.string() });

/** A question of a training set with its SQL. */
export type ActSqlExample = z.infer<typeof trainingLine>;

export interface ActSqlOptions {
  /** Or the path of a JSONL file of them. Default: none. */
  readonly examples?: string | readonly ActSqlExample[] | undefined;
  /** Examples that stand in every prompt. Default: 2. */
  readonly fixed?: number | undefined;
  /** Examples chosen for the question. Default: 4. */
  readonly similar?: number | undefined;
}

type Deps = FlowDeps<{ examplesFor(question: string): readonly ActSqlExample[] }>;
type State = FlowState<object>;

const answer = z.object({
  chain: z
    .array(z.object({ phrase: z.string(), uses: z.string() }))
    .describe('Phrases of the question, each with the attribute or the value that it stands for.'),
  sql: z.string().describe('The whole statement, without a trailing semicolon.'),
});

const writeTask = defineTask({
  id: 'act-sql.write',
  version: 1,
  render: (input: PromptInput & { readonly examples: readonly ActSqlExample[] }) =>
    taskMessages(input, {
      job: 'Go through the question from phrase to phrase and say which attribute or value each one stands for; then write the statement.',
      sections: input.examples.map((example) => {
        const reply = { chain: chainOf(example), sql: example.sql };
        return `An example, of another database:\n${fence('example', `${example.question}\n${JSON.stringify(reply)}`)}`;
      }),
    }),
  output: answer,
});

/** Words of SQL that stand for nothing in a question. */
const KEYWORD =
  /^(?:select|distinct|from|(?:left|right|inner|outer|cross)?join|on|as|where|and|or|not|in|is|null|like|between|exists|group|order|by|having|limit|offset|asc|desc|union|intersect|except|all|with|case|when|then|else|end|cast)$/i;

/** Strings, quoted names, names with what they are qualified by, and numbers. */
const ITEM = /'(?:[^']|'')*'|"[^"]*"|`[^`]*`|[\p{L}_][\p{L}\p{N}_.]*|\d+(?:\.\d+)?/gu;

const LONGEST_PHRASE = 4;

/** The chain of an example: what has no phrase that shares a word with it is left out. */
export function chainOf({
  question,
  sql,
}: ActSqlExample): readonly { readonly phrase: string; readonly uses: string }[] {
  const words = question.split(/[^\p{L}\p{N}_'-]+/u).filter((word) => word !== '');
  const phrases = Array.from({ length: LONGEST_PHRASE }, (_, more) =>
    words.slice(more).map((_word, at) => words.slice(at, at + more + 1).join(' ')),
  ).flat();
  const index = createBm25(phrases);
  const items = (sql.match(ITEM) ?? []).filter((item) => !KEYWORD.test(item));
  // An alias in front of a name tells nothing.
  const uses = new Set(items.map((item) => (item.startsWith("'") ? item : (item.split('.').at(-1) ?? item))));
  return [...uses].flatMap((item) => {
    const [nearest] = index.rank(item);
    return nearest === undefined ? [] : [{ phrase: phrases[nearest.document] ?? '', uses: item }];
  });
}

const write = defineStep<State, Deps>()({
  name: 'write',
  prep: readQuestion,
  exec: async (asked, context) => {
    const { solver, own } = context.deps;
    const input = await sqlInput(asked, context.deps, context);
    return solver.solve(writeTask, { ...input, examples: own.examplesFor(asked.question) }, context);
  },
  post: (state, _asked, solved) => {
    recordSpent(state, solved);
    state.generatedSql = cleanSql(solved.value.sql);
    state.explanation = solved.value.chain.map(({ phrase, uses }) => `${phrase}: ${uses}`).join('; ') || null;
  },
});

const steps = createFlow<State, Deps>({ name: 'act-sql' })
  .step(getSchema, { default: 'write' })
  .step(write, { default: 'execute-sql' })
  // One call: a statement that fails is the outcome.
  .step(executeSql, { default: end, error_retry: end('failed'), failed: end })
  .build();

/**
 * The flow. It only reads.
 *
 * @throws AskemaError `INPUT_INVALID` for a line of the file that is no example.
 */
export function actSql({ examples = [], fixed = 2, similar = 4 }: ActSqlOptions = {}) {
  const all = typeof examples === 'string' ? readExamples(examples) : examples;
  const index = createBm25(all.map(({ question }) => question));
  // Spread over the list, which often goes from database to database.
  const always = Array.from({ length: Math.min(fixed, all.length) }, (_, at) => Math.floor((at * all.length) / fixed));
  const examplesFor = (question: string): readonly ActSqlExample[] => {
    const like = index.rank(question).map(({ document }) => document);
    const chosen = like.filter((at) => !always.includes(at)).slice(0, similar);
    // The likest one stands next to the question.
    return [...always, ...chosen.reverse()].flatMap((at) => all[at] ?? []);
  };
  return text2SqlFlow({
    flow: steps,
    access: 'read',
    needs: 'model',
    begin: (): object => ({}),
    open: () => ({ examplesFor }),
  });
}

function readExamples(file: string): readonly ActSqlExample[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, at) => {
    if (line.trim() === '') return [];
    try {
      return [trainingLine.parse(JSON.parse(line))];
    } catch (cause) {
      const wanted = 'Each line is an object with the strings `question` and `sql`.';
      throw new AskemaError('INPUT_INVALID', `${file}, line ${at + 1} is no example. ${wanted}`, { cause });
    }
  });
}
