import {
  type CallContext,
  type Catalog,
  type DatabaseKnowledge,
  type KnowledgeAnswer,
  type SelectedKnowledge,
  toAskemaError,
  type ValueMatch,
} from '@askema/core';
import type { QuestionDeps } from '../question/question-deps.ts';
import type { SchemaQuestion } from './get-schema.ts';

/** Names of events, each with `id` and `reason` of an entry. */
const KNOWLEDGE_SHOWN = 'knowledge-shown';
const KNOWLEDGE_LEFT_OUT = 'knowledge-left-out';

type KnowledgeDeps = Pick<QuestionDeps, 'adapter' | 'knowledge' | 'schemaOptions'>;

/** What prompts show of the knowledge; undefined where nothing fits, and where nobody reads a prompt. */
export function selectKnowledge(
  { question, today }: SchemaQuestion,
  catalog: Catalog,
  values: readonly ValueMatch[],
  deps: KnowledgeDeps,
  warnings: string[],
): SelectedKnowledge | undefined {
  const { isPrompted, countTokens } = deps.schemaOptions;
  if (!isPrompted) return undefined;
  const metricCalls = deps.knowledge?.metricCalls === true;
  const selected = ask(catalog, deps, warnings, (known) =>
    known.select({ question, today, values }, { metricCalls, countTokens }),
  );
  return selected === undefined || selected.text === '' ? undefined : selected;
}

/** Tells listeners what of the knowledge the prompts show and why, and what does not fit. */
export function tellSelected({ items, leftOut }: SelectedKnowledge, context: CallContext): void {
  for (const { id, reason } of items) context.emit?.({ type: KNOWLEDGE_SHOWN, data: { id, reason } });
  for (const { id, reason } of leftOut) context.emit?.({ type: KNOWLEDGE_LEFT_OUT, data: { id, reason } });
}

/** The answer without a model, where that is wanted. What somebody says beside the question is not read by knowledge. */
export function answerOfKnowledge(
  { question, evidence, documents, today }: SchemaQuestion,
  catalog: Catalog,
  values: readonly ValueMatch[],
  deps: KnowledgeDeps,
  warnings: string[],
): KnowledgeAnswer | undefined {
  if (deps.knowledge?.answers !== true || evidence.trim() !== '' || documents.length > 0) return undefined;
  return ask(catalog, deps, warnings, (known) => known.answer({ question, today, values }));
}

/** Knowledge is an aid: where it fails, the question is asked without it, and the outcome says so. */
function ask<T>(
  catalog: Catalog,
  { adapter, knowledge }: KnowledgeDeps,
  warnings: string[],
  use: (known: DatabaseKnowledge) => T,
): T | undefined {
  if (knowledge === undefined) return undefined;
  try {
    return use(knowledge.source.on(catalog, adapter.dialect));
  } catch (thrown) {
    warnings.push(`The knowledge about the database could not be used: ${toAskemaError(thrown).message}`);
    return undefined;
  }
}
