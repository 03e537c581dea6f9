import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  AskemaError,
  checkWhole,
  fromModel,
  isLanguageModel,
  type LanguageModel,
  type Solver,
  toAskemaError,
} from '@askema/core';
import pLimit from 'p-limit';
import { fileWithin } from '../files/file-within.ts';
import { replaceFile } from '../run/replace-file.ts';
import { openResultsStore, type ResultsStore, readStoredSummary } from '../run/results-store.ts';
import type { Remark } from '../schemas/design-summary.ts';
import { sha256 } from '../sha256.ts';
import type { SchemaSource, SchemaSources } from './load-schema-sources.ts';
import {
  type ReviewName,
  type SampleProgress,
  type SampleState,
  type SampleStep,
  sampleProgress,
  sampleStep,
} from './requirement-sample.ts';
import { type OpenReview, REVIEW_FILE, readReviews, writeReviews } from './review-file.ts';
import { schemaFindings, typesAsDdl } from './schema-words.ts';
import { personStep, solveStep } from './solve-step.ts';

/** Who writes or reviews. */
export interface RequirementsModel {
  readonly model: LanguageModel | Solver;
  /** `provider:model`; another one in the same folder is refused. */
  readonly label: string;
}

/** What requirements are made of, by whom, and where they are kept. */
export interface BuildRequirementsOptions {
  readonly schemas: SchemaSources;
  /** A directory; made when missing. Holds `results.jsonl` (all steps), `reviews.jsonl` and `requirements.jsonl`. */
  readonly out: string;
  readonly writer: RequirementsModel;
  /** Reviews in place of a person; best another model than the one that writes. */
  readonly reviewer?: RequirementsModel | undefined;
  /** Writes and reviews only the first so many schemas. Default: all. */
  readonly limit?: number | undefined;
  /** Samples at a time. Default: 1. */
  readonly concurrency?: number | undefined;
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Where a data set of requirements stands: `summary.json`. */
export interface RequirementsSummary {
  readonly schemaVersion: 1;
  readonly name: string;
  readonly samples: number;
  readonly states: Readonly<Record<SampleState, number>>;
  /** Of those that are over: both of the last reviewers said the same. */
  readonly agreed: number;
  /** Reviews that wait for a person in `reviews.jsonl`. */
  readonly waiting: number;
  /** Model calls and tokens of all steps, those of earlier starts included. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Steps that failed in this start; the next one tries them again. */
  readonly failures: readonly Remark[];
  /** Lines of sources or of `reviews.jsonl` that cannot be used. */
  readonly problems: readonly Remark[];
  /** SHA-256 of `requirements.jsonl` as it was written, so that an edit is seen. */
  readonly written?: string | undefined;
}

const OUTPUT_FILE = 'requirements.jsonl';

/**
 * Builds a data set as RSchema was (SchemaAgent, section 3): for each schema a requirement is written, refined,
 * reviewed by another annotator until both agree (three times at most), and reviewed last by an annotator and an
 * expert, whose word counts. What is accepted stands in `requirements.jsonl`, which `loadSchemaDataset` reads. Each
 * finished step is on the disk at once and is never done again; a second start goes on. Without a reviewer, a person
 * sets `verdict` in the lines of `reviews.jsonl`, edits text and schema there, and starts again.
 *
 * @throws AskemaError `CONFIG_INVALID` when the folder holds a run of other schemas or models; `INPUT_INVALID` when it
 * holds something else, or a `requirements.jsonl` that was edited; `JOURNAL_INVALID` when its files are broken;
 * `JOURNAL_LOCKED` while another process writes there.
 */
export async function buildRequirements(options: BuildRequirementsOptions): Promise<RequirementsSummary> {
  const { schemas, out, writer, reviewer } = options;
  const concurrency = checkWhole('concurrency', options.concurrency ?? 1);
  if (options.limit !== undefined) checkWhole('limit', options.limit);
  await refuseForeign(out);
  const configuration = { writer: writer.label, reviewer: reviewer?.label ?? 'person' };
  const store = await openResultsStore<SampleStep>(out, schemas, configuration, {
    isResult: (line) => sampleStep.safeParse(line).success,
    now: Date.now,
  });
  try {
    const written = await writtenBefore(out, acceptedText(schemas.sources, store));
    const { reviews, problems } = await readReviews(out);
    for (const review of reviews.values()) {
      if (review.verdict === '' || review.review === 'write') continue;
      const { next, id } = stepOf(store, review.sample);
      if (next === review.review && id === review.id)
        await store.append(personStep(review, next as ReviewName, review.verdict));
    }
    const failures = await doSteps(options, store, concurrency);
    const open = reviewer === undefined ? openReviews(schemas.sources, store) : [];
    // A broken line is the work of a person: the file is left as it is.
    if (problems.length === 0 && (open.length > 0 || reviews.size > 0)) await writeReviews(out, open, reviews);
    const sum = await writeAccepted(out, acceptedText(schemas.sources, store), written);
    const summary = summarise(schemas, store, {
      waiting: open.length,
      failures,
      problems: [
        ...schemas.problems.map(({ id, message }) => ({ id: id ?? '', message })),
        ...problems.map(({ message }) => ({ id: REVIEW_FILE, message })),
      ],
      ...(sum === undefined ? {} : { written: sum }),
    });
    await store.writeSummary(summary);
    return summary;
  } finally {
    await store.close();
  }
}

/** A folder that holds files, but none of a run, is not ours. */
async function refuseForeign(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [] as string[]);
  if (names.length === 0 || names.includes('run.json') || names.every((name) => name.startsWith('run.lock'))) return;
  throw new AskemaError(
    'INPUT_INVALID',
    `${folder} holds other files (${names.slice(0, 3).join(', ')}); choose an empty folder, or a new one.`,
  );
}

/**
 * The sum of `requirements.jsonl` as it was written: what the last summary says, or what the steps come to where a start
 * was killed before it wrote one.
 *
 * @throws AskemaError `INPUT_INVALID` when the file is another one.
 */
async function writtenBefore(folder: string, accepted: string): Promise<string | undefined> {
  const file = fileWithin(folder, path.join(folder, OUTPUT_FILE), 'JOURNAL_INVALID');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const summary = (await readStoredSummary(folder)) as Partial<RequirementsSummary> | undefined;
  if (text === accepted || summary?.written === sha256(text)) return sha256(text);
  throw new AskemaError(
    'INPUT_INVALID',
    `${file} was edited after it was written, and would be overwritten. Move it away, and start again.`,
  );
}

function stepsOf(store: ResultsStore<SampleStep>, sample: string): readonly SampleStep[] {
  const steps: SampleStep[] = [];
  for (let at = 1; ; at += 1) {
    const step = store.results.get(`${sample}/${at}`);
    if (step === undefined) return steps;
    steps.push(step);
  }
}

function stepOf(store: ResultsStore<SampleStep>, sample: string): SampleProgress & { readonly id: string } {
  const steps = stepsOf(store, sample);
  return { ...sampleProgress(steps), id: `${sample}/${steps.length + 1}` };
}

/** Does what models can do, sample by sample; a step that fails ends its sample for this start. */
async function doSteps(
  { schemas, writer, reviewer, limit, onProgress, signal }: BuildRequirementsOptions,
  store: ResultsStore<SampleStep>,
  concurrency: number,
): Promise<readonly Remark[]> {
  const solverOf = ({ model, label }: RequirementsModel) => ({
    solver: isLanguageModel(model) ? fromModel(model) : model,
    label,
  });
  const [writing, reviewing] = [solverOf(writer), reviewer && solverOf(reviewer)];
  const failures: Remark[] = [];
  const sources = schemas.sources.slice(0, limit);
  let done = 0;
  const buildOne = async (source: SchemaSource): Promise<void> => {
    for (;;) {
      const { next, id, ...progress } = stepOf(store, source.id);
      const answering = next === 'write' ? writing : reviewing;
      if (next === undefined || answering === undefined || signal?.aborted) break;
      try {
        const todo = { source, step: next, id, progress: { ...progress, next }, runId: store.run.runId, signal };
        await store.append(await solveStep(todo, answering));
      } catch (thrown) {
        if (!signal?.aborted) failures.push({ id: source.id, message: `${next}: ${toAskemaError(thrown).message}` });
        break;
      }
    }
    done += 1;
    onProgress?.({ done, total: sources.length });
  };
  const limiter = pLimit(concurrency);
  await Promise.all(sources.map((source) => limiter(() => buildOne(source))));
  return failures;
}

function openReviews(sources: readonly SchemaSource[], store: ResultsStore<SampleStep>): readonly OpenReview[] {
  return sources.flatMap(({ id: sample }) => {
    const { id, ...progress } = stepOf(store, sample);
    const { next, content } = progress;
    if (next === undefined || next === 'write' || content === undefined) return [];
    return [{ id, sample, review: next, progress, findings: schemaFindings(content.answer) }];
  });
}

/** The accepted samples as rows of RSchema. */
function acceptedText(sources: readonly SchemaSource[], store: ResultsStore<SampleStep>): string {
  const lines = sources.flatMap(({ id, types }) => {
    const { state, content } = sampleProgress(stepsOf(store, id));
    if (state !== 'accepted' || content === undefined) return [];
    const { requirement, answer, domain } = content;
    return [JSON.stringify({ id, question: requirement, answer, ddl: typesAsDdl(answer, types), domain })];
  });
  return lines.map((line) => `${line}\n`).join('');
}

/** Writes what was accepted; the sum of the file, or undefined where there is none. */
async function writeAccepted(folder: string, text: string, written: string | undefined): Promise<string | undefined> {
  if (text === '') return written;
  const sum = sha256(text);
  if (sum !== written) await replaceFile(path.join(folder, OUTPUT_FILE), text);
  return sum;
}

function summarise(
  { name, sources }: SchemaSources,
  store: ResultsStore<SampleStep>,
  rest: Pick<RequirementsSummary, 'waiting' | 'failures' | 'problems' | 'written'>,
): RequirementsSummary {
  const states = { raw: 0, primary: 0, refined: 0, reviewed: 0, accepted: 0, deleted: 0 };
  let agreed = 0;
  for (const { id } of sources) {
    const progress = sampleProgress(stepsOf(store, id));
    states[progress.state] += 1;
    agreed += Number(progress.agreed);
  }
  const steps = [...store.results.values()];
  const total = (numberOf: (step: SampleStep) => number | undefined): number =>
    steps.reduce((sum, step) => sum + (numberOf(step) ?? 0), 0);
  return {
    schemaVersion: 1,
    name,
    samples: sources.length,
    states,
    agreed,
    calls: total(({ calls }) => calls),
    inputTokens: total(({ inputTokens }) => inputTokens),
    outputTokens: total(({ outputTokens }) => outputTokens),
    ...rest,
  };
}
