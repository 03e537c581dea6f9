import { type Adapter, AskemaError, COMPRESSIONS, checkChoice, checkWhole, isLanguageModel } from '@askema/core';
import { ASK_BACKS } from './question/ask-back.ts';
import { isText2SqlFlow, type Text2SqlFlow } from './question/flow-spec.ts';
import type { AskOptions, Text2SqlOptions } from './text2sql-options.ts';

/** A question longer than this is a document: it belongs into `documents`. */
export const MAX_QUESTION_CHARACTERS = 20_000;
const MAX_EVIDENCE_CHARACTERS = 400_000;
const MAX_DOCUMENT_CHARACTERS = 4_000_000;

/** The least that each number may be. */
const NUMBERS = {
  maxRows: 1,
  maxBytes: 1,
  timeoutMs: 1,
  maxDebugAttempts: 1,
  sampleValues: 0,
  maxSchemaTokens: 1,
  maxDocumentTokens: 1,
} as const satisfies Partial<Record<keyof Text2SqlOptions, number>>;

/**
 * Checks what the types cannot.
 *
 * @throws AskemaError `CONFIG_INVALID` for numbers out of range, and options that do not go together.
 */
export function checkOptions(options: Text2SqlOptions, adapter: Adapter): void {
  checkModel(options.model);
  for (const [name, least] of Object.entries(NUMBERS)) {
    const value = options[name as keyof typeof NUMBERS];
    if (value !== undefined) checkWhole(name, value, least);
  }
  if (options.compression !== undefined) checkChoice('compression', options.compression, COMPRESSIONS);
  if (options.askBack !== undefined) checkChoice('askBack', options.askBack, ASK_BACKS);
  if (options.alignValues !== undefined) checkChoice('alignValues', options.alignValues, [true, false]);
  if (options.access === 'write' && adapter.access !== 'write') {
    throw new AskemaError(
      'CONFIG_INVALID',
      `\`access\` is write, but the adapter ${adapter.name} was opened for reading. Open it with \`access: 'write'\` as well.`,
    );
  }
  if (options.approve !== undefined && options.access !== 'write')
    throw new AskemaError(
      'CONFIG_INVALID',
      "`approve` is given, but without `access: 'write'` no statement that changes anything runs.",
    );
}

/** @throws AskemaError `CONFIG_INVALID` for what is neither a language model nor a solver. */
export function checkModel(model: Text2SqlOptions['model']): void {
  const isSolver = typeof (model as { solve?: unknown } | undefined)?.solve === 'function';
  if (!isLanguageModel(model) && !isSolver)
    throw new AskemaError(
      'CONFIG_INVALID',
      '`model` is neither a language model nor a solver; see @askema/openai, or give a model of the AI SDK to `fromAiSdk` of @askema/ai-sdk.',
    );
}

/**
 * Checks that the flow may do what is allowed, and that whoever answers can do what it needs: once for all flows.
 *
 * @throws AskemaError `CONFIG_INVALID`.
 */
export function checkFlow(flow: Text2SqlFlow, { access, model }: Pick<Text2SqlOptions, 'access' | 'model'>): void {
  if (!isText2SqlFlow(flow)) {
    const given = typeof flow === 'string' ? `the name \`${String(flow)}\`` : 'something else';
    throw new AskemaError(
      'CONFIG_INVALID',
      `\`flow\` is a value that a factory makes, such as \`refine()\` of @askema/text2sql or your own \`text2SqlFlow({ … })\`, and here it is ${given}.`,
    );
  }
  const { name } = flow.flow;
  if (access === 'write' && flow.access === 'read')
    throw new AskemaError(
      'CONFIG_INVALID',
      `The flow \`${name}\` only reads, and \`access\` is write. Leave \`access\` out, or pass a flow that may write.`,
    );
  if (isLanguageModel(model)) return;
  if (flow.needs === 'model')
    throw new AskemaError(
      'CONFIG_INVALID',
      `The flow \`${name}\` talks to a language model, but ${model.name} is a solver. Pass a language model, or another flow.`,
    );
  const missing = flow.needs.filter((task) => !model.supports(task));
  if (missing.length > 0)
    throw new AskemaError(
      'CONFIG_INVALID',
      `The flow \`${name}\` asks for what ${model.name} cannot do (${missing.join(', ')}). Pass a language model, or another flow.`,
    );
}

/**
 * @throws AskemaError `INPUT_INVALID` for a question that is empty, a text that is far too long, and what is no
 * document, no `follows` or no date.
 */
export function checkText(question: string, { evidence, documents = [], today, follows }: AskOptions): void {
  checkWritten('question', question, MAX_QUESTION_CHARACTERS, ' Put what belongs to it into `documents`.');
  if (evidence !== undefined)
    tooLong('evidence', evidence.length, MAX_EVIDENCE_CHARACTERS, ' Put what is long into `documents`.');
  let characters = 0;
  for (const [position, { name, text }] of documents.entries()) {
    if (typeof name !== 'string' || typeof text !== 'string')
      throw new AskemaError(
        'INPUT_INVALID',
        `\`documents[${position}]\` is no document: it needs \`name\` and \`text\`.`,
      );
    characters += name.length + text.length;
  }
  if (follows !== undefined) {
    const { question: before, sql, message = '' } = follows;
    if ([before, sql, message].some((text) => typeof text !== 'string'))
      throw new AskemaError('INPUT_INVALID', '`follows` needs the `question` before and its `sql`, as texts.');
  }
  tooLong('documents', characters, MAX_DOCUMENT_CHARACTERS, ' Pass those that the question needs.');
  if (today !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(today))
    throw new AskemaError('INPUT_INVALID', `\`today\` is ${JSON.stringify(today)}; write it like 2026-03-09.`);
}

/** @throws AskemaError `INPUT_INVALID` for a text that is empty or far too long. */
export function checkWritten(what: string, text: string, most: number, advice = ''): void {
  if (typeof text !== 'string' || text.trim() === '') throw new AskemaError('INPUT_INVALID', `The ${what} is empty.`);
  tooLong(what, text.length, most, advice);
}

function tooLong(what: string, characters: number, most: number, advice: string): void {
  if (characters <= most) return;
  const verb = what === 'documents' ? 'have' : 'has';
  throw new AskemaError(
    'INPUT_INVALID',
    `The ${what} ${verb} ${characters} characters, and ${most} are allowed.${advice}`,
  );
}
