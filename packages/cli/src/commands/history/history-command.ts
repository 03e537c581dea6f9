import { type Command, Option } from 'commander';
import type { CommandContext } from '../../process/command-context.ts';

/** Registers `askema history`. What it needs is loaded when it runs. */
export function addHistory(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  const load = () => import('./history.ts');
  const history = program
    .command('history')
    .summary('what was asked before')
    .description('Lists, shows, repeats, exports and forgets the runs of `askema ask`. No row of a result is kept.')
    .addHelpText('after', HISTORY_HELP);
  history
    .command('list', { isDefault: true })
    .summary('the runs, newest first')
    .option('--limit <count>', 'so many', '20')
    .action(async (flags: { limit: string }) => onExitCode(await (await load()).listHistory(flags.limit, context)));
  history
    .command('show')
    .summary('one run')
    .argument('<id>', 'of the list, or its beginning')
    .addOption(new Option('-f, --format <format>', 'of the run').choices(['text', 'json']).default('text'))
    .action(async (id: string, { format }: { format: 'text' | 'json' }) =>
      onExitCode(await (await load()).showRun(id, format, context)),
    );
  history
    .command('repeat')
    .summary('ask the same again, in the same folder and with the same options')
    .argument('<id>', 'of the list, or its beginning')
    .action(async (id: string) => onExitCode(await (await load()).repeatRun(id, context)));
  history
    .command('answer')
    .summary('answer what a run asked back')
    .argument('<id>', 'of the list, or its beginning')
    .argument('<answer...>', 'the number of a choice, or your own words')
    .action(async (id: string, answer: readonly string[]) =>
      onExitCode(await (await load()).answerRun(id, answer.join(' '), context)),
    );
  history
    .command('export')
    .summary('all runs as JSON lines on stdout')
    .action(async () => onExitCode(await (await load()).exportHistory(context)));
  history
    .command('forget')
    .summary('delete runs')
    .argument('[id...]', 'of the list, or their beginnings')
    .option('--all', 'everything')
    .action(async (ids: readonly string[], { all }: { all?: true }) =>
      onExitCode(await (await load()).forgetRuns(ids, all === true, context)),
    );
}

const HISTORY_HELP = `
Examples:
  askema history
  askema history show 3f2a
  askema history answer 3f2a 2
  askema history repeat 3f2a > again.txt
  askema history export > runs.jsonl
  askema history forget --all

Runs are kept in $XDG_STATE_HOME/askema/history (~/.local/state/askema/history), readable by you alone: 500 of them, for
90 days. A run is question, options, SQL and how it ended. ASKEMA_HISTORY names another folder, and \`off\` keeps nothing.
`;
