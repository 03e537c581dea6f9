import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AskemaError, createCallContext, type Outcome, oneLine } from '@askema/core';
import { contentWords } from '@askema/grounding';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { definitionText } from '../bind/definition-text.ts';
import { markdown, textMatter } from '../folder/markdown-text.ts';
import { ModelDocument } from '../folder/model-document.ts';
import { readTexts } from '../folder/read-texts.ts';
import { replaceFile } from '../folder/replace-file.ts';
import { fileName, writeOssie } from '../formats/ossie/write-ossie.ts';
import { entryId, type KnowledgeProblem, type KnowledgeText } from '../model/knowledge.ts';
import type { Metric, SemanticModel } from '../model/semantic-model.ts';
import { selectKnowledge } from '../select/select-knowledge.ts';
import { unseenIn } from '../words/unseen.ts';
import { spellingOf, wordsOfName } from '../words/words-of.ts';
import { checkedOutcome, metricsOf, runIdOf } from './checked-outcome.ts';
import type { CorrectionInput } from './correction-task.ts';
import { type CorrectionModel, learnMetric } from './learn-metric.ts';
import { changeOwn, checkRoom, freeId, type OwnKnowledge, openOwn, voucherOf } from './own-proposals.ts';

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
  /** The formula of a metric, the text of a rule. */
  readonly text: string;
  /** What a rule is about. */
  readonly appliesTo: readonly string[];
  /** The accepted metric that would change, and who stands by it. */
  readonly changes?: { readonly id: string; readonly text: string; readonly by?: string | undefined } | undefined;
  /** Why it is no metric although the model defined one: each reply with its fault. */
  readonly reasons: readonly string[];
}

const MAX_WORDS = 2_000;
const MAX_SUBJECTS = 10;
const MAX_TERM = 60;
const MAX_FIELDS = 150;
const DEFINITIONS_TOKENS = 800;

/**
 * Keeps what a person says about a wrong answer as a proposal, below `proposals/by/<by>/`: a rule in the person's words,
 * about what the question and the answer named; with a model a metric, where the words define a number. A metric was
 * bound, compiled and run alone before it is proposed, and holds no value that neither the person said nor an accepted
 * definition has. Nothing uses it before somebody accepts it.
 *
 * @throws AskemaError `INPUT_INVALID` for words that are empty, above 2,000 characters or not to be seen, and for an
 *   outcome without SQL; `KNOWLEDGE_INVALID` for a folder that cannot be read or written; `MODEL_*`, `ABORTED`.
 */
export async function correct(
  path: string,
  outcome: Outcome,
  words: string,
  options: CorrectOptions,
): Promise<Corrected> {
  const { by, bound, model, signal } = options;
  const said = checkedWords(words);
  checkedOutcome(outcome);
  if (outcome.sql === undefined || outcome.sql === '')
    throw new AskemaError('INPUT_INVALID', `The run ended as ${outcome.type} and has no SQL that could be corrected.`);
  const own = await openOwn(path, by);
  checkRoom(own, by);
  const subjects = subjectsOf(outcome, bound);
  const asRule = (reasons: readonly string[]): Promise<Corrected> =>
    changeOwn(path, by, (now) => proposeRule(now, outcome, said, subjects, reasons, options));
  if (model === undefined) return asRule([]);
  const context = createCallContext({ path: 'knowledge-correct', ...(signal !== undefined && { signal }) });
  const learned = await learnMetric(inputOf(outcome, said, subjects, bound), model, bound, context);
  if ('reasons' in learned) return asRule(learned.reasons);
  const { metric, home, before } = learned;
  const file = await changeOwn(path, by, (now) => writeMetric(now, metric, home));
  const id = entryId('metric', metric.name);
  const text = definitionText(metric, bound.dialect);
  const old = before && { id, text: definitionText(before, bound.dialect), by: voucherOf(before) };
  return { kind: 'metric', id, file, text, appliesTo: [], reasons: [], ...(old !== undefined && { changes: old }) };
}

function checkedWords(words: string): string {
  const line = words.replaceAll(/\s+/gu, ' ').trim();
  const unseen = unseenIn(line);
  const problem =
    line === ''
      ? 'is empty'
      : words.length > MAX_WORDS
        ? `has ${words.length} characters, more than ${MAX_WORDS}`
        : unseen === ''
          ? undefined
          : `has characters that nobody sees (${unseen})`;
  if (problem === undefined) return line;
  throw new AskemaError('INPUT_INVALID', `The correction ${problem}. Say in a few words what would be right.`);
}

/**
 * Metrics and datasets that the question or the answer named, and tables that are no dataset; else the
 * question. Never none: such a rule would hold for every question.
 */
function subjectsOf(outcome: Outcome, bound: BoundKnowledge): readonly string[] {
  const basedOn = outcome.type === 'answered' ? outcome.basedOn : [];
  const relations = new Set(
    basedOn.flatMap((basis) => (basis.kind === 'relation' ? [basis.name.split('.').at(-1)?.toLowerCase() ?? ''] : [])),
  );
  const known = new Set(
    Object.values(bound.catalog.relations).map(({ nameParts }) => nameParts.relation.toLowerCase()),
  );
  const read = [...relations]
    .filter((name) => known.has(name))
    .map((name) => {
      const found = [...bound.datasets.values()].find(({ relation }) => {
        const own = relation === undefined ? undefined : bound.catalog.relations[relation]?.nameParts.relation;
        return own?.toLowerCase() === name;
      });
      return found?.dataset.name ?? oneLine(name, MAX_TERM);
    });
  const named = selectKnowledge(outcome.question, bound.knowledge, { bound }).items.flatMap(({ id, kind, reason }) =>
    (kind === 'metric' || kind === 'dataset') && !reason.startsWith('described') ? [id.slice(kind.length + 1)] : [],
  );
  const metrics = metricsOf(outcome).flatMap(({ name }) => bound.metrics.get(name.toLowerCase())?.name ?? []);
  // Words such as "the" stand in every question.
  const all = [...metrics, ...named, ...read].filter((name) => contentWords(spellingOf(wordsOfName(name))).size > 0);
  if (all.length > 0) return [...new Set(all)].slice(0, MAX_SUBJECTS);
  if (contentWords(outcome.question).size > 0) return [oneLine(outcome.question, MAX_WORDS)];
  throw new AskemaError(
    'INPUT_INVALID',
    'The question has only words that every question may have, so the rule would be about anything. Ask in a sentence, and correct its answer.',
  );
}

function inputOf(
  outcome: Outcome,
  correction: string,
  subjects: readonly string[],
  bound: BoundKnowledge,
): CorrectionInput {
  const { question, sql = '' } = outcome;
  const basedOn = outcome.type === 'answered' ? outcome.basedOn : [];
  const stoodOn = basedOn.map((basis) =>
    basis.kind === 'relation' ? `table ${basis.name}` : `${basis.kind} ${basis.name}: ${basis.definition}`,
  );
  const { text } = selectKnowledge(`${question} ${correction}`, bound.knowledge, {
    bound,
    maxTokens: DEFINITIONS_TOKENS,
  });
  // Those of the answer first: a large model does not fit.
  const near = new Set(subjects.map((name) => name.toLowerCase()));
  const datasets = [...bound.datasets].sort(([a], [b]) => Number(near.has(b)) - Number(near.has(a)));
  const fields = datasets
    .flatMap(([, { dataset, fields: all }]) =>
      [...all.values()].map(({ field, type }) => `${dataset.name}.${field.name} ${type}`),
    )
    .slice(0, MAX_FIELDS);
  return { question, sql, stoodOn: stoodOn.join('\n'), definitions: text, fields: fields.join('\n'), correction };
}

async function proposeRule(
  { folder, ownFolder, knowledge }: OwnKnowledge,
  outcome: Outcome,
  words: string,
  appliesTo: readonly string[],
  reasons: readonly string[],
  { by, at = new Date() }: CorrectOptions,
): Promise<Corrected> {
  const rules = knowledge.texts.filter(({ kind }) => kind === 'rule');
  const same = rules.find(({ standing, text }) => standing.by === by && text === words);
  const shared = { text: words, appliesTo, reasons };
  if (same !== undefined)
    return { kind: 'known', id: entryId('rule', same.id), file: same.standing.place.file, ...shared };
  const id = freeId(
    words,
    rules.map((one) => one.id),
  );
  const file = `${ownFolder}/rules/${id}.md`;
  const rule: KnowledgeText = {
    id,
    kind: 'rule',
    title: id,
    text: words,
    appliesTo,
    priority: 0,
    standing: { state: 'proposed', source: 'correction', place: { file }, by },
  };
  const origin = {
    created_at: at.toISOString(),
    said_by: by,
    run_id: runIdOf(outcome),
    about: oneLine(outcome.question, MAX_WORDS),
  };
  const text = markdown({ ...textMatter(rule), ...origin }, words);
  const problems: KnowledgeProblem[] = [];
  const [read, second] = readTexts(text, file, id, 'rule', 'proposed', problems);
  if (read?.text !== words || second !== undefined || problems.length > 0)
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
