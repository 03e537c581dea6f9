import { type Command, Option } from 'commander';
import { ALLOW_FUNCTION, collect, DATABASE, HIDE, MASK } from '../../flags/options.ts';
import { SCHEMA_FORMATS } from '../../format/output-formats.ts';
import type { CommandContext } from '../../process/command-context.ts';
import type { SchemaFlags } from './schema.ts';

/** Registers `askema schema`. What it needs is loaded when it runs. */
export function addSchema(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  program
    .command('schema')
    .summary('print the schema of a database')
    .description('Reads the schema of a live database and prints it on stdout.')
    .argument('[database]', DATABASE)
    .addOption(new Option('-f, --format <format>', 'of the schema').choices(SCHEMA_FORMATS).default('text'))
    .option('--dialect <name>', 'of ddl, prisma and drizzle (default: that of the database)')
    .option('--include <glob>', 'only relations whose name fits, for example "order*"; may be repeated', collect)
    .option('--check', 'report normal forms, missing keys and suspicious foreign keys instead')
    .option('--data', 'with --check: look at the rows too')
    .option('--max-rows <count>', 'with --data: rows read of a table (default: 100000)')
    .option('--timeout <time>', 'with --data: for each table: 500ms, 2s, 1m (default: 20s)')
    .option(...ALLOW_FUNCTION)
    .option(...HIDE)
    .option(...MASK)
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .addHelpText('after', SCHEMA_HELP)
    .action(async (database: string | undefined, flags: SchemaFlags) => {
      const { withWorker } = await import('../../database/with-worker.ts');
      const code = await withWorker(database, context, async (started) => {
        const { runSchema } = await import('./schema.ts');
        return runSchema(database, flags, started);
      });
      onExitCode(code);
    });
}

const SCHEMA_HELP = `
Examples:
  askema schema shop.sqlite
  askema schema shop.sqlite --format ddl > schema.sql
  askema schema shop.sqlite --format ddl --dialect postgres > schema.sql
  askema schema shop.sqlite --format mermaid --include "order*,customer"
  askema schema shop.sqlite --format svg > schema.svg
  askema schema shop.sqlite --check
  askema schema shop.sqlite --check --data --format json

--check only reads. Exit code 1 where a constraint that is declared does not hold, or cannot.
`;
