import { type Adapter, AskemaError } from '@askema/core';
import type { AskOptions, Text2SqlOptions } from './text2sql-options.ts';

/** A question longer than this is a document: it belongs into `evidence`. */
const MAX_QUESTION_CHARACTERS = 20_000;
const MAX_EVIDENCE_CHARACTERS = 400_000;

/** The least that each number may be. */
const NUMBERS = {
  maxRows: 1,
  maxBytes: 1,
  timeoutMs: 1,
  maxDebugAttempts: 1,
  maxTurns: 1,
  sampleValues: 0,
  maxSchemaTokens: 1,
} as const satisfies Partial<Record<keyof Text2SqlOptions, number>>;

/**
 * Checks what the types cannot.
 *
 * @throws AskemaError `INPUT_INVALID` for numbers out of range, `CONFIG_INVALID` for options that do not go together.
 */
export function checkOptions(options: Text2SqlOptions, adapter: Adapter): void {
  const { model } = options;
  const isModel = typeof (model as { generate?: unknown } | undefined)?.generate === 'function';
  const isSolver = typeof (model as { solve?: unknown } | undefined)?.solve === 'function';
  if (!isModel && !isSolver)
    throw new AskemaError('CONFIG_INVALID', '`model` is neither a language model nor a solver; see @askema/openai.');
  for (const [name, least] of Object.entries(NUMBERS)) {
    const value = options[name as keyof typeof NUMBERS];
    if (value === undefined || (Number.isSafeInteger(value) && value >= least)) continue;
    throw new AskemaError('INPUT_INVALID', `\`${name}\` is ${String(value)}; it must be a whole number from ${least}.`);
  }
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

/** @throws AskemaError `INPUT_INVALID` for an empty or a far too long question or evidence. */
export function checkText(question: string, { evidence, today }: AskOptions): void {
  if (typeof question !== 'string' || question.trim() === '')
    throw new AskemaError('INPUT_INVALID', 'The question is empty.');
  tooLong('question', question, MAX_QUESTION_CHARACTERS, ' Put documents into `evidence`.');
  if (evidence !== undefined) tooLong('evidence', evidence, MAX_EVIDENCE_CHARACTERS, '');
  if (today !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(today))
    throw new AskemaError('INPUT_INVALID', `\`today\` is ${JSON.stringify(today)}; write it like 2026-03-09.`);
}

function tooLong(what: string, text: string, most: number, advice: string): void {
  if (text.length <= most) return;
  throw new AskemaError(
    'INPUT_INVALID',
    `The ${what} has ${text.length} characters, and ${most} are allowed.${advice}`,
  );
}
