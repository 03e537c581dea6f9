import type { Command } from 'commander';
import { ALLOW_FUNCTION, collect, DATABASE, HIDE, MASK } from '../../flags/options.ts';
import type { CommandContext } from '../../process/command-context.ts';
import type { CheckDatabaseFlags } from './check-database.ts';

/** Registers `askema check`. What it needs is loaded when it runs. */
export function addCheck(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  program
    .command('check')
    .summary('say whether a database can be asked, and whether it is safe')
    .description(
      'Connects, and says who is connected, what can be seen, whether writing is impossible, and what is missing.',
    )
    .argument('[database]', DATABASE)
    .option('--include <glob>', 'only relations whose name fits, for example "order*"; may be repeated', collect)
    .option('--timeout <time>', 'of each step: 500ms, 2s, 1m (default: 30s)')
    .option('--json', 'print the report as JSON')
    .option(...ALLOW_FUNCTION)
    .option(...HIDE)
    .option(...MASK)
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .addHelpText('after', CHECK_HELP)
    .action(async (database: string | undefined, flags: CheckDatabaseFlags) => {
      const { withWorker } = await import('../../database/with-worker.ts');
      const code = await withWorker(database, context, async (started) => {
        const { runCheckDatabase } = await import('./check-database.ts');
        return runCheckDatabase(database, flags, started);
      });
      onExitCode(code);
    });
}

const CHECK_HELP = `
Examples:
  askema check shop.sqlite
  askema check postgres://localhost/shop
  askema check snowflake://myorg-myaccount/SALES/PUBLIC
  askema check bigquery://my-project/sales --include "sales.order*"
  askema check data/ --json

Nothing is changed: a SELECT 1 runs, the schema is read, and a DELETE that fits no row is only planned, never run.
Passwords and keys come from the environment, from files or from a question on the terminal, never from the address.
Exit codes: 0 fine, 1 it cannot be reached or a finding is an error, 2 no such database, a missing driver or wrong usage.
`;
