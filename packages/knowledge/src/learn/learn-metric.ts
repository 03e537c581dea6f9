import { type Adapter, AskemaError, type CallContext, isAskemaError, type Solver } from '@askema/core';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { plainLine } from '../draft/plain-line.ts';
import type { Aggregate } from '../model/metric-definition.ts';
import { ansi, type Metric } from '../model/semantic-model.ts';
import { type CorrectionInput, type CorrectionOutput, correctionTask } from './correction-task.ts';
import { SaidWords } from './said-words.ts';
import { tryMetric } from './try-metric.ts';

/** Who turns a correction into a definition, and the database in which it has to hold. */
export interface CorrectionModel {
  readonly solver: Solver;
  /** The metric is run alone in it, with access `read`. */
  readonly adapter: Adapter;
}

/** A metric that holds, with the model that it belongs to; or why there is none, and what a rule would be about. */
export type LearnedMetric =
  | { readonly metric: Metric; readonly home: string; readonly before: Metric | undefined }
  | { readonly reasons: readonly string[]; readonly about: readonly string[] };

const NAME = /^[a-z][a-z0-9_]{0,59}$/;
const MAX_SYNONYMS = 3;
const MAX_DESCRIPTION = 300;

/**
 * Asks a model for the metric that a correction defines; a reply that does not hold is told to it once.
 *
 * @throws AskemaError `INPUT_INVALID` where the correction says nothing about the answer.
 */
export async function learnMetric(
  asked: CorrectionInput,
  { solver, adapter }: CorrectionModel,
  bound: BoundKnowledge,
  context: CallContext,
): Promise<LearnedMetric> {
  const reasons: string[] = [];
  const said = new SaidWords([asked.question, asked.correction], bound);
  let about: readonly string[] = [];
  let input = asked;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { value: reply } = await solver.solve(correctionTask, input, context);
    about = reply.about.filter((words) => said.hasWords(words)).slice(0, MAX_SYNONYMS);
    if (reply.kind === 'rule') return { reasons, about };
    if (reply.kind === 'nothing')
      throw new AskemaError(
        'INPUT_INVALID',
        'The correction says nothing about what the answer should be. Say what would be right; without a model the words become a rule.',
      );
    try {
      const learned = metricOf(reply, asked, said, bound, solver.name);
      await tryMetric(learned.metric, learned.home, bound, { adapter, context });
      return learned;
    } catch (thrown) {
      if (!isAskemaError(thrown) || !/^(?:KNOWLEDGE_INVALID|METRIC_REFUSED|QUERY_)/.test(thrown.code)) throw thrown;
      reasons.push(plainLine(thrown.message));
      input = { ...asked, failed: { reply: JSON.stringify(reply), problem: thrown.message } };
    }
  }
  return { reasons, about };
}

function metricOf(
  reply: CorrectionOutput,
  { correction }: CorrectionInput,
  said: SaidWords,
  bound: BoundKnowledge,
  solver: string,
): Extract<LearnedMetric, { metric: Metric }> {
  const before = bound.metrics.get(reply.name.toLowerCase());
  if (before === undefined && !(NAME.test(reply.name) && said.hasWords(reply.name)))
    throw invalid(
      `${JSON.stringify(reply.name)} is no name of a metric here: take words of the question and the correction, in lower case and joined by _.`,
    );
  if (reply.expression.trim() === '') throw invalid('The metric has no expression.');
  const filter = reply.filter.trim() === '' ? undefined : reply.filter;
  for (const text of [reply.expression, filter ?? '1 = 1']) said.checkValues(text);
  const synonyms = reply.synonyms.filter((words) => said.hasWords(words)).map((words) => plainLine(words));
  const kept = before?.ai?.synonyms ?? [];
  const { kind: _, ...old } = before?.definition.kind === 'aggregate' ? before.definition : ({} as Partial<Aggregate>);
  const definition: Aggregate = { ...old, kind: 'aggregate', expressions: ansi(reply.expression), filter };
  const time = reply.time.trim();
  const timed = time === '' ? definition : { ...definition, time: time.replaceAll('"', '') };
  const home = homeOf(before, bound);
  const all = [...new Set([...kept, ...synonyms])].slice(0, Math.max(kept.length, MAX_SYNONYMS));
  const metric: Metric = {
    ...(before ?? { name: reply.name, extensions: [] }),
    description: Array.from(plainLine(correction)).slice(0, MAX_DESCRIPTION).join(''),
    definition: timed,
    ...(all.length > 0 && { ai: { ...before?.ai, synonyms: all, examples: before?.ai?.examples ?? [] } }),
    standing: { state: 'proposed', source: `model:${solver}`, place: { file: 'code' } },
  };
  return { metric, home, before };
}

/** The model that has the metric, else the first one. */
function homeOf(before: Metric | undefined, { knowledge }: BoundKnowledge): string {
  const models = knowledge.models;
  const home = models.find(({ metrics }) => before !== undefined && metrics.includes(before)) ?? models[0];
  if (home === undefined) throw invalid('There is no model in which a metric could stand.');
  return home.name;
}

function invalid(message: string): AskemaError {
  return new AskemaError('KNOWLEDGE_INVALID', message);
}
