/**
 * Whether a budget of a quarter of the whole text keeps what the large-schema questions of text2sql-dev need, without a
 * model. Usage: node --conditions=@askema/source scripts/inspect/large-schema.ts. Gold SQL only scores the result; the
 * selection sees question and catalog. ASKEMA_DATA names the folder that holds text2sql-dev.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCallContext, foldName, resolveAdapter } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { compress } from '@askema/grounding';
import { resolveQuery } from '@askema/lint';
import { sqlparserTs } from '@askema/sql-parser';
import { sqlite } from '../../adapters/sqlite/src/index.ts';
import { requireTool } from '../require-tool.ts';

const SHARE = 4;
const { countTokens } = requireTool<{ countTokens(text: string): number }>('gpt-tokenizer/encoding/o200k_base');
const DATA = path.join(
  process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url)),
  'text2sql-dev',
);
if (!existsSync(path.join(DATA, 'questions.jsonl'))) {
  console.error(`${DATA} is not there; set ASKEMA_DATA to the folder that holds text2sql-dev.`);
  process.exit(1);
}

interface Question {
  readonly id: string;
  readonly db_id: string;
  readonly category: string;
  readonly question: string;
  readonly gold_sql: string;
}
const questions = readFileSync(path.join(DATA, 'questions.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Question)
  .filter(({ category }) => category === 'large-schema');

const context = createCallContext();
const parser = sqlparserTs();
let kept = 0;
for (const [database, own] of Map.groupBy(questions, ({ db_id }) => db_id)) {
  const adapter = resolveAdapter(sqlite({ file: path.join(DATA, 'databases', `${database}.sqlite`) }));
  const catalog = await adapter.introspect();
  const texts = catalog.schema.attributes.flatMap(({ id, type }) =>
    type === 'TEXT' || type === 'DATETIME' ? [id] : [],
  );
  const samples = await adapter.sampleValues(texts, { catalog, limit: 3, timeoutMs: 30_000, context });
  const options = { dialect: sqliteDialect, samples, countTokens };
  const whole = compress(catalog, options).tokens;
  const maxTokens = Math.floor(whole / SHARE);
  console.log(`${database}: ${whole} tokens (o200k_base) with all relations; the budget is ${maxTokens}`);
  for (const { id, question, gold_sql: gold } of own) {
    const { omitted, omittedAttributes = [] } = compress(catalog, { ...options, maxTokens, question });
    const parsed = await parser.parse(gold, sqliteDialect, { timeoutMs: 10_000 });
    if (!parsed.ok) throw new Error(`${id}: the gold SQL was not parsed.`);
    const query = resolveQuery({ sql: gold, shape: parsed.shape, catalog, dialect: sqliteDialect });
    const needed = query.blocks.flatMap(({ relations, columns }) => [
      ...relations.flatMap((relation) => (relation.kind === 'relation' ? [relation.id] : [])),
      ...columns.flatMap((column) => (column.kind === 'attribute' ? [column.attribute] : [])),
    ]);
    const left = new Set<string>([...omitted, ...omittedAttributes]);
    const lost = [...new Set(needed.filter((one) => left.has(one)))].map((one) => foldName(one, 'insensitive'));
    if (lost.length === 0) kept += 1;
    else console.log(`${id}: ${lost.join(', ')}`);
  }
  await adapter.close();
}
await parser.close();
console.log(`all relations and columns that gold SQL names: ${kept} of ${questions.length} questions`);
process.exit(kept === questions.length ? 0 : 1);
