/**
 * How much of the external documents of Spider 2.0 stands in a prompt at a token budget: each task that names a
 * document, with its question. No gold is read. Usage: node --conditions=@askema/source
 * scripts/spider2/documents-kept.ts Tokens are those of o200k_base.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { selectPassages } from '../../packages/text2sql/src/documents/select-passages.ts';
import { requireTool } from '../require-tool.ts';
import { ROOT } from '../workspace.ts';

const { encode } = requireTool<{ encode(text: string, options?: object): readonly number[] }>(
  'gpt-tokenizer/encoding/o200k_base',
);

interface Document {
  readonly name: string;
  readonly text: string;
}
interface Task {
  readonly question: string;
  readonly external_knowledge: string | null;
}

const BUDGETS = [2_000, 4_000, 8_000];
const folder = join(process.env.ASKEMA_DATA ?? join(ROOT, '../shared/data'), 'spider2');
const file = join(folder, 'documents.jsonl');
if (!existsSync(file)) throw new Error(`${file} is not there; set ASKEMA_DATA to the folder of the data.`);

const linesOf = <T>(path: string): T[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
// Some sentences of the documents are spelled like special tokens.
const countTokens = (text: string): number => encode(text, { disallowedSpecial: new Set() }).length;

const documents = linesOf<Document>(file);
const byName = new Map(documents.map((document) => [document.name, document]));
const asked = linesOf<Task>(join(folder, 'tasks.jsonl')).flatMap(({ question, external_knowledge: name }) => {
  const document = name === null ? undefined : byName.get(name);
  return document === undefined ? [] : [{ question, document, tokens: countTokens(document.text) }];
});
const sizes = documents.map(({ text }) => countTokens(text)).sort((a, b) => a - b);
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
console.log(
  `${documents.length} documents, ${sum(sizes)} tokens (median ${sizes[Math.floor(sizes.length / 2)]}, longest ${sizes.at(-1)}); ${asked.length} questions name one`,
);
for (const maxTokens of BUDGETS) {
  const started = performance.now();
  const shown = asked.map(({ question, document, tokens }) => {
    const { text, omitted } = selectPassages([document], question, { maxTokens, countTokens });
    const used = countTokens(text);
    if (used > maxTokens) throw new Error(`${document.name} takes ${used} tokens of ${maxTokens}`);
    return { used, tokens, isWhole: omitted.length === 0, left: sum(omitted.map(({ passages }) => passages)) };
  });
  const cut = shown.filter(({ isWhole }) => !isWhole);
  const share =
    (100 * sum(shown.map(({ used, tokens }) => Math.min(used, tokens)))) / sum(shown.map(({ tokens }) => tokens));
  console.log(
    `${maxTokens} tokens: ${shown.length - cut.length} of ${shown.length} whole, ${share.toFixed(1)} % of all tokens kept; the ${cut.length} that are cut keep ${((100 * sum(cut.map(({ used }) => used))) / Math.max(1, sum(cut.map(({ tokens }) => tokens)))).toFixed(1)} % (${sum(cut.map(({ left }) => left))} passages left out), ${((performance.now() - started) / shown.length).toFixed(1)} ms a question`,
  );
}
