/** Two questions by one way, and what was sent for them, as JSON: `ask-twice.ts FILE WAY`. */
import { isDeepStrictEqual } from 'node:util';
import { countTokensRoughly, createCallContext, type ModelRequest, textOf, userMessage } from '@askema/core';
import { sqlite } from '@askema/sqlite';
import { auto, createText2Sql, direct, inspect, plain, react, refine } from '@askema/text2sql';
import Database from 'better-sqlite3';
import { answersAtOnce, QUESTIONS, questionOf } from './answer-at-once.ts';

const FLOWS = { direct, plain, auto, inspect, react, refine };

export interface Asked {
  readonly ms: number;
  /** Processor time of this process. */
  readonly processorMs: number;
  readonly calls: number;
  readonly tokens: number;
  /** Of the tokens, those at the beginning of the messages with which an earlier call of this process begins as well. */
  readonly repeated: number;
  /** The same where tools and the schema of the output, which stand in front of the messages, are the same as well. */
  readonly repeatedAll: number;
  readonly largest: number;
}

/** The names that answer a question about a city. */
type Way = (question: string) => Promise<readonly unknown[]>;

const model = answersAtOnce();
const [file = '', name = ''] = process.argv.slice(2);

/** What a program without a framework does: reads the schema once, sends all of it, and runs what comes back. */
function wholeSchema(): Way {
  let schema: string | undefined;
  const database = new Database(file, { readonly: true });
  return async (question) => {
    schema ??= database
      .prepare("SELECT sql FROM sqlite_schema WHERE type IN ('table', 'view')")
      .pluck()
      .all()
      .map((sql) => `${String(sql)};`)
      .join('\n');
    const ask =
      'Write one SQLite query that answers the question. Reply with the SQL only, in a code block.\nQuestion: ';
    const messages = [userMessage(`${schema}\n\n${ask}${question}`)];
    const { content } = await model.generate({ messages, sample: 0, context: createCallContext() });
    const sql = /```sql\n([\s\S]*)\n```/.exec(textOf(content))?.[1] ?? '';
    return database.prepare(sql).pluck().all();
  };
}

function flow(name: keyof typeof FLOWS): Way {
  const text2sql = createText2Sql({ adapter: sqlite({ file }), model, flow: FLOWS[name]() });
  return async (question) => {
    const outcome = await text2sql.ask(question);
    if (outcome.type !== 'answered') throw new Error(`${name}: ${JSON.stringify(outcome).slice(0, 500)}`);
    return outcome.result.rows.map(([cell]) => cell);
  };
}

interface Prompt {
  /** Tools and the schema of the output: vendors put them in front of the messages. */
  readonly head: string;
  readonly messages: string;
}

function promptOf({ tools = [], output, messages }: ModelRequest): Prompt {
  const head = [...tools, ...(output === undefined ? [] : [output.schema])].map((value) => JSON.stringify(value));
  const texts = messages.flatMap(({ content }) =>
    content.map((part) => ('text' in part ? part.text : JSON.stringify(part))),
  );
  return { head: head.join('\n'), messages: texts.join('\n') };
}

/** Tokens at the beginning of a prompt with which one of the earlier prompts begins as well. */
function repeatedTokens({ messages }: Prompt, earlier: readonly Prompt[]): number {
  const lengths = earlier.map(({ messages: other }) => {
    let at = 0;
    while (at < messages.length && messages[at] === other[at]) at += 1;
    return at;
  });
  return countTokensRoughly(messages.slice(0, Math.max(0, ...lengths)));
}

interface Counted {
  readonly tokens: number;
  readonly repeated: number;
  readonly repeatedAll: number;
}

function countPrompt(prompt: Prompt, earlier: readonly Prompt[]): Counted {
  const headTokens = countTokensRoughly(prompt.head);
  const alike = earlier.filter(({ head }) => head === prompt.head);
  return {
    tokens: headTokens + countTokensRoughly(prompt.messages),
    repeated: repeatedTokens(prompt, earlier),
    repeatedAll: alike.length === 0 ? 0 : headTokens + repeatedTokens(prompt, alike),
  };
}

const way = name === 'whole schema' ? wholeSchema() : flow(name as keyof typeof FLOWS);
const asked: Asked[] = [];
for (const { city, names } of QUESTIONS) {
  const already = model.requests.length;
  const [before, used] = [performance.now(), process.cpuUsage()];
  const found = await way(questionOf(city));
  const ms = performance.now() - before;
  const { user, system } = process.cpuUsage(used);
  if (!isDeepStrictEqual(found, names)) throw new Error(`${name} answered ${JSON.stringify(found)} for ${city}.`);
  const prompts = model.requests.map(promptOf);
  const sent = prompts.slice(already).map((prompt, at) => countPrompt(prompt, prompts.slice(0, already + at)));
  const sum = (of: keyof Counted): number => sent.reduce((total, one) => total + one[of], 0);
  asked.push({
    ms,
    processorMs: (user + system) / 1_000,
    calls: sent.length,
    tokens: sum('tokens'),
    repeated: sum('repeated'),
    repeatedAll: sum('repeatedAll'),
    largest: Math.max(...sent.map(({ tokens }) => tokens)),
  });
}
process.stdout.write(JSON.stringify(asked));
// Workers of the adapter and the parser would be waited for.
process.exit(0);
