import { type Command, Option } from 'commander';
import {
  DATABASE,
  DOCUMENT,
  EVIDENCE,
  HIDE,
  KNOWLEDGE,
  MASK,
  NO_KNOWLEDGE,
  withModelOptions,
} from '../../flags/options.ts';
import { REPORT_FORMATS } from '../../format/output-formats.ts';
import type { CommandContext } from '../../process/command-context.ts';
import type { ChatFlags } from './session/chat-flags.ts';

/** Registers `askema chat`. What it needs is loaded when it runs. */
export function addChat(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  withModelOptions(
    program
      .command('chat')
      .summary('ask one question after the other')
      .description(
        'A conversation about one or more databases: each message may go on from what was said before. /help lists its commands.',
      )
      .argument('[database...]', `${DATABASE}; NAME=DATABASE names one`),
  )
    .addOption(
      new Option('-f, --format <format>', 'json: a line for each turn').choices(REPORT_FORMATS).default('text'),
    )
    .option('--timeout <time>', 'of all statements of a question together: 500ms, 2s, 1m (default: 30s)')
    .option(...EVIDENCE)
    .option(...DOCUMENT)
    .option(...KNOWLEDGE)
    .option(...NO_KNOWLEDGE)
    .option('--chart', 'draw each answer that a chart shows better than a table')
    .option('--summarize', 'tell each answer in sentences as well; else only why, what changed and comparisons')
    .option('--id <id>', 'begin a conversation of this name, or go on with it')
    .option('--continue', 'go on with the last conversation of this folder')
    .option('--list', 'list the conversations that are kept, and end')
    .option('--no-history', 'keep nothing of this conversation; ASKEMA_HISTORY=off keeps nothing of any')
    .option(...HIDE)
    .option(...MASK)
    .addHelpText('after', CHAT_HELP)
    .action(async (databases: readonly string[], flags: ChatFlags) => {
      const { withWorker } = await import('../../database/with-worker.ts');
      const only = databases.length === 1 ? databases[0] : undefined;
      const code = await withWorker(only, context, async (started) => {
        const { runChat } = await import('./chat.ts');
        return runChat(databases, flags, started);
      });
      onExitCode(code);
    });
}

const CHAT_HELP = `
Examples:
  askema chat shop.sqlite
  askema chat sales=shop.sqlite hr=postgres://localhost/people
  askema chat shop.sqlite --chart --summarize
  askema chat --continue
  printf 'How many orders in 2023?\\nand by country?\\n' | askema chat shop.sqlite

Ctrl-C stops a question and Ctrl-D leaves. From a pipe each line is a message or a command.
Exit codes: 0 the last message was answered, 1 it was not or a command failed, 2 wrong usage or input, 130 stopped by Ctrl-C.
`;
