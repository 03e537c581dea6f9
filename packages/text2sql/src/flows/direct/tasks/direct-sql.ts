import { FENCE_NOTE, fence, type GenerateSqlInput, type Message, userMessage } from '@askema/core';
import { followsSections } from '../../../prompts/prompt-sections.ts';

/**
 * The prompt of the `direct` baseline: schema, what the caller gives with the question, and the question. It is kept
 * plain on purpose: every other flow has to be better than what one line of instruction gives.
 */
export function renderDirectSql(
  input: Pick<GenerateSqlInput, 'question' | 'schemaText' | 'dialect' | 'evidence' | 'documents' | 'follows'>,
): readonly Message[] {
  const evidence = input.evidence?.trim();
  return [
    userMessage(
      [
        FENCE_NOTE,
        fence('schema', input.schemaText),
        ...(evidence === undefined || evidence === '' ? [] : [fence('definitions', evidence)]),
        ...(input.documents === undefined || input.documents === '' ? [] : [fence('documents', input.documents)]),
        ...followsSections(input.follows),
        `Write one ${input.dialect.displayName} query that answers the question. Reply with the SQL only, in a code block.`,
        `Question: ${input.question.trim()}`,
      ].join('\n\n'),
    ),
  ];
}
