/**
 * What the flow `auto` mends: for every fifth question of text2sql-dev the first answer of the model is replaced by a
 * broken copy of the gold statement, and the flow goes on from there. Usage: OPENAI_API_KEY=… node
 * --conditions=@askema/source scripts/auto/weakened.ts MODEL [--effort medium] [--list]
 *
 * Copies are made by rule (scripts/inspect/mutations.ts), one a question, drawn by hash; each gives another result than
 * gold, or fails. ASKEMA_DATA names the folder that holds text2sql-dev; OPENAI_BASE_URL another server than OpenAI's.
 */
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type LanguageModel, resultsAgree } from '@askema/core';
import { openai } from '@askema/openai';
import { sqlparserTs } from '@askema/sql-parser';
import { auto, createText2Sql, type Effort } from '@askema/text2sql';
import { openDevelopmentSet } from '../inspect/development-set.ts';
import { mutationsOf } from '../inspect/mutations.ts';

const BAR = 0.8;
const EVERY = 5;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { effort: { type: 'string', default: 'medium' }, list: { type: 'boolean', default: false } },
});
const [modelName] = positionals;
if (modelName === undefined) {
  console.error('Name a model: weakened.ts MODEL');
  process.exit(1);
}
const model = openai({ model: modelName });

/** The model, but for its first answer. */
function weakened(sql: string): LanguageModel {
  let isFirst = true;
  return {
    ...model,
    async generate(request) {
      if (!isFirst) return model.generate(request);
      isFirst = false;
      const answer = { outcome: 'sql', sql, explanation: 'As it was asked.', not_understood: [], other_readings: [] };
      const content = [{ type: 'text' as const, text: JSON.stringify(answer) }];
      return { content, finishReason: { unified: 'stop', raw: undefined }, usage: {}, warnings: [] };
    },
  };
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const parser = sqlparserTs();
const counts = new Map<string, { all: number; mended: number }>();
const calls: number[] = [];
for await (const { adapter, catalog, index, questions } of openDevelopmentSet(parser))
  for (const { id, question, evidence, sql, shape, orderMatters } of questions) {
    if (shape === undefined || Number.parseInt(hashOf(`weakened ${id}`).slice(0, 8), 16) % EVERY !== 0) continue;
    const broken = await mutationsOf({ adapter, catalog, index, sql, shape, id, orderMatters, seed: 'A' });
    const [mutant] = broken.toSorted((a, b) => (hashOf(id + a.sql) < hashOf(id + b.sql) ? -1 : 1));
    if (mutant === undefined) continue;
    const flow = auto({ effort: options.effort as Effort });
    const shared = { ...adapter, close: async () => undefined };
    const text2sql = createText2Sql({ adapter: shared, model: weakened(mutant.sql), flow, parser, askBack: 'never' });
    const outcome = await text2sql.ask(question, { evidence });
    const gold = await adapter.query(sql);
    const isMended = outcome.type === 'answered' && resultsAgree(outcome.result, gold);
    const count = counts.get(mutant.kind) ?? { all: 0, mended: 0 };
    counts.set(mutant.kind, { all: count.all + 1, mended: count.mended + Number(isMended) });
    calls.push(outcome.calls - 1);
    if (options.list && !isMended)
      console.log(`${id} ${mutant.kind}: ${question}\n  ${mutant.sql}\n  ${outcome.sql ?? outcome.type}\n  ${sql}`);
  }
await parser.close();
const total = { all: 0, mended: 0 };
for (const [kind, { all, mended }] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
  console.log(`${kind}: ${mended} of ${all}`);
  total.all += all;
  total.mended += mended;
}
const share = total.mended / total.all;
const meanCalls = calls.reduce((sum, count) => sum + count, 0) / calls.length;
console.log(
  `mended: ${total.mended} of ${total.all}, ${(100 * share).toFixed(1)} % (bar: ${100 * BAR}), for ${meanCalls.toFixed(2)} further calls a question`,
);
process.exitCode = share >= BAR ? 0 : 1;
