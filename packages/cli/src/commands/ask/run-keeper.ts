import { type Journal, type JournalEntry, memoryJournal, type Outcome, toAskemaError } from '@askema/core';
import { historyFolder } from '../../history/history-folder.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { printableLines } from '../../terminal/printable.ts';

/** A run that waits for an answer, and what was answered. */
export interface AnsweredRun {
  readonly runId: string;
  readonly journal: readonly JournalEntry[];
  readonly answer: string;
}

/** Keeps one run of the command. */
interface RunKeeper {
  /** Where the run is recorded, so that a question that it asks back can be answered by another process. */
  readonly journal: Journal;
  /** Writes what is known to the history; gives the command that answers, where the run waits for an answer. */
  keep(outcome: Outcome): Promise<string | undefined>;
}

/** Undefined where nothing is to be kept. Nothing of the history is loaded before there is something to keep. */
export async function createRunKeeper(
  request: {
    readonly database: string;
    readonly question: string;
    readonly flags: { readonly history?: boolean | undefined };
  },
  { host, err }: Pick<CommandContext, 'host' | 'err'>,
  answered: AnsweredRun | undefined,
): Promise<RunKeeper | undefined> {
  const folder = request.flags.history === false ? undefined : historyFolder(host.env);
  if (folder === undefined) return undefined;
  const journal = memoryJournal();
  if (answered !== undefined) {
    const opened = await journal.open(answered.runId);
    await opened.append(answered.journal);
    await opened.close();
  }
  return {
    journal,
    async keep(outcome) {
      try {
        const { historyId, recordRun } = await import('../../history/record-run.ts');
        const entries = await journal.read(outcome.runId);
        await recordRun(folder, outcome, { cwd: host.cwd, ...request }, entries);
        const isAnswerable = outcome.type === 'needsClarification' && entries.length > 0;
        return isAnswerable ? `askema history answer ${historyId(outcome.runId)} ANSWER` : undefined;
      } catch (error) {
        const { message } = toAskemaError(error);
        await err.write(
          `${err.yellow('note:')} this run is not in the history: ${printableLines(message)} \`--no-history\` keeps nothing.\n`,
        );
        return undefined;
      }
    },
  };
}
