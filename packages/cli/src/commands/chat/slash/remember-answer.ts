import { AskemaError, isAskemaError } from '@askema/core';
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
  const run = historyId(last.runId);
  await rememberRun(run, given, { ...context, signal }).catch((error: unknown) => {
    throw sayHere(error, run, chat);
  });
  const { err } = context;
  await err.write(
    `${err.dim('This chat answers by it once it is accepted and the chat begins anew: /quit, then --continue.')}\n`,
  );
}

/** What helps in a chat, where the answer needs a question that says all of it. */
function sayHere(error: unknown, run: string, { databases: { given } }: ChatSession): unknown {
  const reason = isAskemaError(error) ? error.details.needsQuestion : undefined;
  if (typeof reason !== 'string') return error;
  // What goes with every question would go with that of `/as`, too.
  const isTold = given.evidence !== undefined || (given.documents ?? []).length > 0;
  const how = isTold
    ? `Outside the chat: askema remember ${run} --question "…"`
    : 'Ask it with /as QUESTION, in words that say all of it, then /remember.';
  return new AskemaError('INPUT_INVALID', `${reason} ${how}`, { cause: error });
}
