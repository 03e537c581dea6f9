/**
 * What knowledge is worth to a model: questions of defog, asked without what came with them, in four ways.
 *
 * node --conditions=@askema/source scripts/knowledge/defog-through-model.ts ARM --model openai:gpt-5 --out DIR
 *
 * | arm | the 68 questions are asked with |
 * | --- | --- |
 * | `none` | nothing |
 * | `pasted` | all that is known of the database, in each prompt |
 * | `selected` | what we select of it |
 * | `own` | the text that belongs to the question |
 * | `control-none`, `control-selected` | 196 other questions, that need none of it |
 *
 * `--part 3` asks the third question about each database alone, so that whoever answers sees no text that was selected for
 * another question. A second start asks what is missing. Without an arm, the table of all that is in DIR is printed, and
 * the exit code is 1 below the bars: `selected` is at least as right as `pasted`, and 95 % of `own`; with at most a third
 * of the tokens of knowledge; the controls do not get worse.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type EvaluationResult, loadDataset, runEvaluation } from '@askema/eval';
import { openai } from '@askema/openai';
import { createText2Sql, plain } from '@askema/text2sql';
import { sqlite } from '../../adapters/sqlite/src/index.ts';
import { createKnowledge } from '../../packages/knowledge/src/index.ts';
import { knowledgeOf, type Pool, readPools } from './defog-pools.ts';

const ARMS = ['none', 'pasted', 'selected', 'own', 'control-none', 'control-selected'] as const;
type Arm = (typeof ARMS)[number];

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    model: { type: 'string', default: 'gpt-5' },
    out: { type: 'string' },
    concurrency: { type: 'string', default: '1' },
    part: { type: 'string' },
  },
});
const { out = '' } = flags;
const pools = new Map(readPools().map((pool) => [pool.db_id, pool]));
const wholeOf = ({ pool }: Pool): string => pool.map(({ text }) => text).join('\n');

/** All ids, or those of a part: the n-th question of each database. */
function idsOf(arm: Arm): readonly string[] {
  const part = flags.part === undefined ? undefined : Number(flags.part) - 1;
  return [...pools.values()].flatMap(({ control_sqlite: controls, ask_sqlite: asked }) => {
    const ids = arm.startsWith('control') ? controls : asked;
    return part === undefined ? ids : ids.slice(part, part + 1);
  });
}

async function ask(arm: Arm): Promise<void> {
  const loaded = await loadDataset(path.join(process.env.ASKEMA_DATA ?? '', 'text2sql-dev/defog'), {});
  const questions = loaded.questions.map((question) => {
    const pool = pools.get(question.databaseId);
    if (arm === 'own') return question;
    return { ...question, evidence: arm === 'pasted' && pool !== undefined ? wholeOf(pool) : undefined };
  });
  await runEvaluation({
    dataset: { ...loaded, questions },
    ids: idsOf(arm),
    connect: ({ file }) => sqlite({ file }),
    pipeline: (adapter, { id }) => {
      const pool = pools.get(id);
      const knowledge = arm.endsWith('selected') && pool !== undefined ? createKnowledge(knowledgeOf(pool)) : undefined;
      const model = openai({ model: flags.model });
      return createText2Sql({ adapter, model, flow: plain(), askBack: 'never', ...(knowledge && { knowledge }) });
    },
    out: path.join(out, flags.part === undefined ? arm : `${arm}-${flags.part}`),
    configuration: { arm, model: flags.model },
    concurrency: Number(flags.concurrency),
  });
}

/** Of all parts. */
function resultsOf(arm: Arm): readonly EvaluationResult[] {
  const isOfArm = (folder: string): boolean => folder.replace(/-\d+$/, '') === arm;
  return readdirSync(out)
    .filter(isOfArm)
    .flatMap((folder) =>
      readFileSync(path.join(out, folder, 'results.jsonl'), 'utf8')
        .trim()
        .split('\n'),
    )
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EvaluationResult);
}

const arm = ARMS.find((each) => each === positionals[0]);
if (arm !== undefined) await ask(arm);
const right = new Map<Arm, number>();
const tokens = new Map<Arm, number>();
for (const each of ARMS) {
  const results = resultsOf(each);
  if (results.length === 0) continue;
  const count = results.filter(({ verdict }) => verdict === 'right').length;
  const input = results.reduce((sum, { usage }) => sum + (usage.inputTokens ?? 0), 0);
  const calls = results.reduce((sum, result) => sum + result.calls, 0);
  right.set(each, count);
  tokens.set(each, input);
  const share = ((100 * count) / results.length).toFixed(1);
  console.log(`${each}: ${count} of ${results.length} right (${share} %), ${calls} calls, ${input} tokens of prompts`);
}
const [rightOf, tokensOf] = [(each: Arm) => right.get(each) ?? 0, (each: Arm) => tokens.get(each) ?? 0];
const holds =
  rightOf('selected') >= rightOf('pasted') &&
  rightOf('selected') >= 0.95 * rightOf('own') &&
  rightOf('control-selected') >= rightOf('control-none') &&
  3 * (tokensOf('selected') - tokensOf('none')) <= tokensOf('pasted') - tokensOf('none');
if (arm === undefined && !holds) process.exitCode = 1;
