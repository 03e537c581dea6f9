import { AskemaError } from '@askema/core';
import { historyId } from '../../../history/record-run.ts';
import { type RememberFlags, rememberRun } from '../../remember/remember-run.ts';
import { type ChatSession, lastStatements } from '../session/chat-session.ts';

/** `/remember [WORDS]`, as `askema remember` and `askema remember --correct`. */
export async function rememberAnswer(words: string, chat: ChatSession, signal: AbortSignal): Promise<void> {
  const { flags, databases, folder, context } = chat;
  if (!databases.hasKnowledge)
    throw new AskemaError(
      'INPUT_INVALID',
      'This chat answers by no knowledge, so there is nowhere to remember. Begin it with --knowledge FOLDER; `askema knowledge init` makes one.',
    );
  if (folder === undefined)
    throw new AskemaError('INPUT_INVALID', 'What is remembered is read from the history, and this chat keeps none.');
  const statements = await lastStatements(chat);
  const last = statements.at(-1);
  if (last === undefined) return;
  const { config, model, hide, mask, allowFunction } = flags;
  const base: RememberFlags = { config, hide, mask, allowFunction };
  const given = words === '' ? base : { ...base, correct: words, model };
  await rememberRun(historyId(last.runId), given, { ...context, signal });
}
