import type { Command } from 'commander';
import { ALLOW_FUNCTION, collect, DATABASE, HIDE, MASK } from '../../flags/options.ts';
import type { CommandContext } from '../../process/command-context.ts';
import type { IndexFlags } from './index-values.ts';

/** Registers `askema index`. What it needs is loaded when it runs. */
export function addIndex(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  program
    .command('index')
    .summary('build an index of the values of a database')
    .description('Reads the distinct texts of a database into a file in which lint and ask look them up.')
    .argument('[database]', DATABASE)
    .option('-o, --out <file>', 'the index (default: DATABASE.values.sqlite in the working folder)')
    .option('--exclude <glob>', 'no values of these columns, for example "customer.*mail*"; may be repeated', collect)
    .option('--exclude-personal', 'no values of columns whose name says that they are of persons')
    .option('--max-values <count>', 'of each column')
    .option('--embeddings <name>', 'vectors of the values as well, so that they are found by their meaning (below)')
    .option('--refresh', 'read everything again')
    .option(...ALLOW_FUNCTION)
    .option(...HIDE)
    .option(...MASK)
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .addHelpText('after', INDEX_HELP)
    .action(async (database: string | undefined, flags: IndexFlags) => {
      const { runIndex } = await import('./index-values.ts');
      onExitCode(await runIndex(database, flags, context));
    });
}

const INDEX_HELP = `
Examples:
  askema index shop.sqlite
  askema index shop.sqlite --out shop.values --exclude "customer.mail" --max-values 100000
  askema index shop.sqlite --embeddings openai:text-embedding-3-small
  askema lint shop.sqlite --value-index shop.sqlite.values.sqlite --file report.sql

--embeddings takes openai:MODEL, ollama:MODEL or a name of \`embeddings\` in askema.config.ts, and sends each value to that server.
Ctrl-C stops it; the same command goes on where it stopped. The file holds values of the database: keep it where that may be.
`;
