import type { Command } from 'commander';
import { CHECK, DATABASE } from '../help-text.ts';
import type { CheckDatabaseFlags } from './check-database.ts';
import type { CommandContext } from './command-context.ts';

/** Adds `askema check`. `onExitCode` receives what it returns. */
export function addCheck(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  program
    .command('check')
    .summary('say whether a database can be asked, and whether it is safe')
    .description(
      'Connects, and says who is connected, what can be seen, whether writing is impossible, and what is missing.',
    )
    .argument('[database]', DATABASE)
    .option('--include <glob>', 'only relations whose name fits, for example "order*"; may be repeated', globs)
    .option('--timeout <time>', 'of each step: 500ms, 2s, 1m (default: 30s)')
    .option('--json', 'print the report as JSON')
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .addHelpText('after', CHECK)
    .action(async (database: string | undefined, flags: CheckDatabaseFlags) => {
      const { runCheckDatabase } = await import('./check-database.ts');
      onExitCode(await runCheckDatabase(database, flags, context));
    });
}

/** Several values: the option repeated, or separated by commas. */
function globs(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, ...value.split(',').filter((each) => each !== '')];
}
