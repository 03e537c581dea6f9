/**
 * How much of the knowledge of a database a question gets, and whether what was written for it is there: the questions
 * of defog, each beside what all questions of its database were told. Usage:
 *
 * node --conditions=@askema/source scripts/knowledge/selection.ts [--list missed,selected] [--half developed,held-out]
 *
 * Bars: of the evidence of at least 95 % of the questions something is selected, with at most a third of the tokens of
 * all that is known. Half of the databases, by hash, were not looked at while the selection was made; both halves have
 * to meet the bars. Exits with 1 below them.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { countTokensRoughly, resolveAdapter } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { sqlite } from '../../adapters/sqlite/src/index.ts';
import {
  type BoundKnowledge,
  bindKnowledge,
  type Knowledge,
  selectKnowledge,
} from '../../packages/knowledge/src/index.ts';
import { proseWords } from '../../packages/knowledge/src/select/prose-words.ts';
import { saySame, type TextPiece, textPieces } from '../../packages/knowledge/src/select/text-pieces.ts';
import { knowledgeOf, linesOf, type Pool, readPools } from './defog-pools.ts';

interface Question {
  readonly id: string;
  readonly question: string;
  readonly gold_sql_sqlite: readonly string[];
}

const LEAST_FOUND = 0.95;
const MOST_TOKENS = 1 / 3;

const data = process.env.ASKEMA_DATA ?? '';
const { values: flags } = parseArgs({
  options: { list: { type: 'string', default: '' }, half: { type: 'string', default: 'developed,held-out' } },
});
const listed = flags.list.split(',');

function halfOf(name: string): 'developed' | 'held-out' {
  return (createHash('sha256').update(name).digest().at(-1) ?? 0) % 2 === 1 ? 'developed' : 'held-out';
}

async function boundTo(knowledge: Knowledge, database: string): Promise<BoundKnowledge> {
  const adapter = resolveAdapter(sqlite({ file: path.join(data, 'text2sql-dev/defog/sqlite', `${database}.sqlite`) }));
  try {
    return bindKnowledge(knowledge, { catalog: await adapter.introspect(), dialect: sqliteDialect });
  } finally {
    await adapter.close();
  }
}

/** Of the statements of a text, the one that shares the most words with the right SQL. */
function nearest(pieces: readonly TextPiece[], sql: string): TextPiece | undefined {
  const known = new Set(proseWords(sql).split(' '));
  const shared = ({ words }: TextPiece): number => [...words].filter((word) => known.has(word)).length;
  return pieces.toSorted((a, b) => shared(b) - shared(a))[0];
}

const questions = new Map(
  linesOf<Question>('text2sql-dev/defog/questions.jsonl').map((question) => [question.id, question]),
);

interface Sums {
  asked: number;
  found: number;
  nearest: number;
  statements: number;
  tokens: number;
  whole: number;
  shares: number;
}

async function measure(pool: Pool, sums: Sums, controls: Sums): Promise<void> {
  const knowledge = knowledgeOf(pool);
  const bound = await boundTo(knowledge, pool.db_id);
  const whole = countTokensRoughly(pool.pool.map(({ text }) => text).join('\n'));
  const select = (id: string, into: Sums) => {
    const { question = '', gold_sql_sqlite: gold = [] } = questions.get(id) ?? {};
    const selected = selectKnowledge(question, knowledge, { bound });
    const tokens = countTokensRoughly(selected.text);
    into.asked += 1;
    into.tokens += tokens;
    into.whole += whole;
    into.shares += tokens / whole;
    return { question, gold: gold[0] ?? '', selected };
  };
  for (const id of pool.control_sqlite) select(id, controls);
  for (const id of pool.ask_sqlite) {
    const { question, gold, selected } = select(id, sums);
    const own = knowledge.texts.find((text) =>
      pool.pool.find((one) => one.id === text.id)?.from_questions.includes(id),
    );
    const pieces = own === undefined ? [] : textPieces(own);
    const known = knowledge.texts.flatMap(textPieces).filter((piece) => selected.text.includes(piece.shown));
    const shown = pieces.filter((piece) => known.some((one) => one.shown === piece.shown || saySame(one, piece)));
    const isFound = shown.length > 0;
    const best = nearest(pieces, gold);
    if (isFound) sums.found += 1;
    if (best !== undefined && shown.includes(best)) sums.nearest += 1;
    sums.statements += shown.length / pieces.length;
    if (listed.includes('selected') || (listed.includes('missed') && !(best !== undefined && shown.includes(best))))
      console.log(
        `${id} ${question}\n  own: ${pieces.map((piece) => piece.shown).join('\n       ')}\n${selected.text}\n`,
      );
  }
}

const none = (): Sums => ({ asked: 0, found: 0, nearest: 0, statements: 0, tokens: 0, whole: 0, shares: 0 });
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;
for (const half of ['developed', 'held-out'] as const) {
  if (!flags.half.split(',').includes(half)) continue;
  const [sums, controls] = [none(), none()];
  for (const pool of readPools()) if (halfOf(pool.db_id) === half) await measure(pool, sums, controls);
  const { asked, found, tokens, whole } = sums;
  console.log(
    `${half}: ${asked} questions; of their own evidence something is selected for ${found} (${percent(found, asked)}), ` +
      `the statement nearest to the right SQL for ${sums.nearest}, of all its statements ${percent(sums.statements, asked)}; ` +
      `${percent(tokens, whole)} of the tokens of all (mean of shares ${percent(sums.shares, asked)}). ` +
      `${controls.asked} controls: ${percent(controls.tokens, controls.whole)} of the tokens`,
  );
  if (found < LEAST_FOUND * asked || tokens > MOST_TOKENS * whole) process.exitCode = 1;
}
