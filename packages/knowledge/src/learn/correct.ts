import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AskemaError, createCallContext, type Outcome, oneLine } from '@askema/core';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { definitionText } from '../bind/definition-text.ts';
import { markdown, textMatter } from '../folder/markdown-text.ts';
import { ModelDocument } from '../folder/model-document.ts';
import { readTexts } from '../folder/read-texts.ts';
import { replaceFile } from '../folder/replace-file.ts';
import { fileName, writeOssie } from '../formats/ossie/write-ossie.ts';
import { entryId, type KnowledgeProblem, type KnowledgeText } from '../model/knowledge.ts';
import type { Metric, SemanticModel } from '../model/semantic-model.ts';
import { correctionInput, sharedWords, subjectsOf } from './correction-input.ts';
import { type CorrectionModel, learnMetric } from './learn-metric.ts';
import { checkRoom, freeId, type OwnKnowledge, openOwn, voucherOf } from './own-proposals.ts';

export interface CorrectOptions {
  /** Who corrects: a name, of up to 80 bytes. The proposal is theirs alone. */
  readonly by: string;
  /** What is accepted, in the database of the answer. */
  readonly bound: BoundKnowledge;
  /** Makes a metric of the words where they define a number. Without it they become a rule. */
  readonly model?: CorrectionModel | undefined;
  /** When it was said. Default: now. */
  readonly at?: Date | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a correction proposes. */
export interface Corrected {
  /** `known`: the person said the same before. */
  readonly kind: 'metric' | 'rule' | 'known';
  /** `metric:net_revenue`, `rule:net-of-returns` */
  readonly id: string;
  /** Relative to the folder. */
  readonly file: string;
  /** The formula of a metric and its own time; the text of a rule, with the question where the words need it. */
  readonly text: string;
  /** What a rule is about. */
  readonly appliesTo: readonly string[];
  /** The accepted metric that would change, and who stands by it. */
  readonly changes?: { readonly id: string; readonly text: string; readonly by?: string | undefined } | undefined;
  /** Why it is no metric although the model defined one: each reply with its fault. */
  readonly reasons: readonly string[];
}

const MAX_WORDS = 2_000;
/** Of the question, in a rule. */
const MAX_QUESTION = 300;

/**
 * Keeps what a person says about a wrong answer as a proposal, below `proposals/by/<by>/`: a rule in the person's words,
 * about what the question and the answer named; with a model a metric, where the words define a number. A metric was
 * bound, compiled and run alone before it is proposed, and holds no value that neither the person said nor an accepted
 * definition has. Nothing uses it before somebody accepts it.
 *
 * @throws AskemaError `INPUT_INVALID` for words that are empty, above 2,000 characters or not to be seen, and where
 *   the model finds nothing in them about the answer; `KNOWLEDGE_INVALID` for a folder that cannot be read or written; `MODEL_*`, `ABORTED`.
 */
export async function correct(
  path: string,
  outcome: Outcome,
  words: string,
  options: CorrectOptions,
): Promise<Corrected> {
  const { by, bound, model, signal } = options;
  const said = checkedWords(words);
  const first = await openOwn(path, by);
  checkRoom(first, by);
  const subjects = subjectsOf(outcome, said, bound);
  if (model === undefined) return proposeRule(first, outcome, said, subjects, [], options);
  const context = createCallContext({ path: 'knowledge-correct', ...(signal !== undefined && { signal }) });
  const learned = await learnMetric(correctionInput(outcome, said, subjects, bound), model, bound, context);
  // A model takes its time: meanwhile somebody may have accepted what there was.
  const own = await openOwn(path, by);
  if ('reasons' in learned) {
    const about = learned.about.length > 0 ? learned.about : subjects;
    return proposeRule(own, outcome, said, about, learned.reasons, options);
  }
  const { metric, home, before } = learned;
  const file = await writeMetric(own, metric, home);
  const id = entryId('metric', metric.name);
  const text = wholeText(metric, bound);
  const old = before && { id, text: wholeText(before, bound), by: voucherOf(before) };
  return { kind: 'metric', id, file, text, appliesTo: [], reasons: [], ...(old !== undefined && { changes: old }) };
}

function wholeText(metric: Metric, { dialect }: BoundKnowledge): string {
  const { definition } = metric;
  const time =
    definition.kind === 'aggregate' && definition.time !== undefined ? `, in time by ${definition.time}` : '';
  return `${definitionText(metric, dialect)}${time}`;
}

function checkedWords(words: string): string {
  const line = words.replaceAll(/\s+/gu, ' ').trim();
  const problem =
    line === ''
      ? 'is empty'
      : words.length > MAX_WORDS
        ? `has ${words.length} characters, more than ${MAX_WORDS}`
        : oneLine(line) === line
          ? undefined
          : 'has characters that nobody sees';
  if (problem === undefined) return line;
  throw new AskemaError('INPUT_INVALID', `The correction ${problem}. Say in a few words what would be right.`);
}

async function proposeRule(
  { folder, ownFolder, knowledge }: OwnKnowledge,
  { question, runId }: Outcome,
  words: string,
  appliesTo: readonly string[],
  reasons: readonly string[],
  { by, at = new Date() }: CorrectOptions,
): Promise<Corrected> {
  // "not the sum" says nothing to whoever does not know of what.
  const said = sharedWords(question, words).length > 0 ? words : `On "${oneLine(question, MAX_QUESTION)}": ${words}`;
  const rules = knowledge.texts.filter(({ kind }) => kind === 'rule');
  const same = rules.find(({ standing, text }) => standing.by === by && text === said);
  const shared = { text: said, appliesTo, reasons };
  if (same !== undefined)
    return {
      kind: 'known',
      id: entryId('rule', same.id),
      file: same.standing.place.file,
      ...shared,
      appliesTo: same.appliesTo,
    };
  const id = freeId(
    words,
    rules.map((one) => one.id),
  );
  const file = `${ownFolder}/rules/${id}.md`;
  const rule: KnowledgeText = {
    id,
    kind: 'rule',
    title: id,
    text: said,
    appliesTo,
    priority: 0,
    standing: { state: 'proposed', source: 'correction', place: { file }, by },
  };
  const origin = { created_at: at.toISOString(), said_by: by, run_id: runId, about: oneLine(question, MAX_WORDS) };
  const text = markdown({ ...textMatter(rule), ...origin }, said);
  const problems: KnowledgeProblem[] = [];
  const [read, second] = readTexts(text, file, id, 'rule', 'proposed', problems);
  if (read?.text !== said || second !== undefined || problems.length > 0)
    throw new AskemaError(
      'INPUT_INVALID',
      'The correction would be read as a heading or as code of a file. Say it as a plain sentence.',
    );
  await replaceFile(folder, file, text);
  return { kind: 'rule', id: entryId('rule', id), file, ...shared };
}

/** Into the person's file of that model, beside what it holds. */
async function writeMetric(
  { folder, ownFolder, knowledge }: OwnKnowledge,
  metric: Metric,
  home: string,
): Promise<string> {
  const file = `${ownFolder}/models/${fileName(home)}.ossie.yaml`;
  const there = knowledge.models.find(({ standing }) => standing.place.file === file);
  const empty: SemanticModel = {
    name: home,
    datasets: [],
    relationships: [],
    metrics: [],
    filters: [],
    extensions: [],
    standing: metric.standing,
  };
  if (there === undefined && existsSync(join(folder, file)))
    throw new AskemaError(
      'KNOWLEDGE_INVALID',
      `${file} cannot be read, so no metric is put into it. Mend or remove it.`,
    );
  if (there === undefined) await replaceFile(folder, file, writeOssie(empty).files[0]?.text ?? '');
  const document = new ModelDocument(folder, file, there ?? empty);
  document.put({ kind: 'metric', value: metric });
  await replaceFile(folder, file, document.text());
  return file;
}
