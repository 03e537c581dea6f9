/**
 * Asks the same questions about the same data on SQLite, PostgreSQL, DuckDB, fakesnow (Snowflake) and bigquery-local
 * (BigQuery), and compares the answers. Usage, with any server of the OpenAI protocol:
 *
 *   OPENAI_BASE_URL=… OPENAI_API_KEY=… OPENAI_MODEL=… pnpm same-answers --flow plain --out FOLDER [--concurrency 8]
 *
 * A second start goes on where the first one stopped.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { decodeValue, encodeValue, type LanguageModel, type ModelResult, type Row } from '@askema/core';
import { openai } from '@askema/openai';
import { direct, inspect, plain, react, refine, type Text2SqlFlow } from '@askema/text2sql';
import { agreement, askEngines, type EngineAnswer } from './ask-engines.ts';
import { ENGINE_NAMES, LOADERS, type LoadedEngine, sampleStore } from './engines.ts';
import { QUESTIONS } from './questions.ts';

const FLOWS: Readonly<Record<string, () => Text2SqlFlow>> = { plain, refine, inspect, react, direct };

const { values } = parseArgs({
  options: {
    flow: { type: 'string', default: 'plain' },
    out: { type: 'string', default: 'out/same-answers' },
    concurrency: { type: 'string', default: '8' },
  },
});
const flow = FLOWS[values.flow]?.();
if (flow === undefined) throw new Error(`--flow ${values.flow} is none of ${Object.keys(FLOWS).join(', ')}.`);
mkdirSync(values.out, { recursive: true });
const file = join(values.out, `${values.flow}.jsonl`);
// A question that failed, as on a server that was not there, is asked again.
const known = existsSync(file)
  ? readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map(readAnswer)
      .filter(({ outcome }) => !outcome.startsWith('failed'))
  : [];

const replies: Record<string, string[]> = {};
const live = openai({ model: process.env.OPENAI_MODEL ?? 'gpt-5-mini', timeoutMs: 7_200_000 });
/** Keeps what the model said, by engine and question. */
const recorded = (key: string): LanguageModel => ({
  ...live,
  async generate(request) {
    const result = await live.generate(request);
    replies[key] = [...(replies[key] ?? []), textOf(result)];
    return result;
  },
});

const engines: LoadedEngine[] = [];
try {
  const tables = await sampleStore();
  for (const name of ENGINE_NAMES) {
    engines.push(await LOADERS[name](tables));
    console.error(`loaded into ${name}`);
  }
  const answers = await askEngines(engines, {
    flow,
    known,
    concurrency: Number(values.concurrency),
    modelOf: (engine, question) => recorded(`${engine} ${question}`),
    onAnswer: (answer) => {
      const recording = replies[`${answer.engine} ${answer.question}`];
      appendFileSync(file, `${JSON.stringify({ ...writeAnswer(answer), replies: recording })}\n`);
      console.error(`${answer.engine} ${answer.question + 1}: ${answer.outcome}, ${answer.calls} calls`);
    },
  });
  const report = writeReport(answers);
  writeFileSync(join(values.out, `${values.flow}.md`), report);
  console.log(report);
} finally {
  for (const engine of engines) await engine.stop();
}

function writeReport(answers: readonly EngineAnswer[]): string {
  const agreed = agreement(answers);
  const lines = QUESTIONS.map((question, place) => {
    const marks = ENGINE_NAMES.map((engine) => {
      if (agreed[place]?.includes(engine)) return 'same';
      const answer = answers.find((each) => each.engine === engine && each.question === place);
      return answer?.result === undefined ? (answer?.outcome ?? 'not asked').slice(0, 40) : 'other';
    });
    return `| ${place + 1}. ${question} | ${marks.join(' | ')} |`;
  });
  const all = agreed.filter((group) => group.length === ENGINE_NAMES.length).length;
  const calls = answers.reduce((sum, answer) => sum + answer.calls, 0);
  return [
    `| question | ${ENGINE_NAMES.join(' | ')} |`,
    `| --- |${' --- |'.repeat(ENGINE_NAMES.length)}`,
    ...lines,
    '',
    `${all} of ${QUESTIONS.length} questions have the same result on all ${ENGINE_NAMES.length} engines; ${answers.length} answers, ${calls} model calls.`,
    '',
  ].join('\n');
}

function textOf({ content }: ModelResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function writeAnswer(answer: EngineAnswer) {
  const { result } = answer;
  return result === undefined
    ? answer
    : { ...answer, result: { ...result, rows: result.rows.map((row) => row.map((value) => encodeValue(value))) } };
}

function readAnswer(line: string): EngineAnswer {
  const answer = JSON.parse(line);
  return answer.result === undefined
    ? answer
    : {
        ...answer,
        result: {
          ...answer.result,
          rows: answer.result.rows.map((row: unknown[]) => row.map((value) => decodeValue(value as never)) as Row),
        },
      };
}
