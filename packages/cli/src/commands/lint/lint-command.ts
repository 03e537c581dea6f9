import { type Command, Option } from 'commander';
import { ALLOW_FUNCTION, collect, DATABASE, HIDE, MASK } from '../../flags/options.ts';
import { REPORT_FORMATS } from '../../format/output-formats.ts';
import type { CommandContext } from '../../process/command-context.ts';
import type { LintFlags } from './lint.ts';

/** Registers `askema lint`. What it needs is loaded when it runs. */
export function addLint(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  program
    .command('lint')
    .summary('find mistakes in SQL without running it')
    .description('Looks at SQL against the schema and the cells of a database: wrong names, joins, groups, values.')
    .argument('[database]', DATABASE)
    .argument('[sql...]', 'one statement or several; `-`, or nothing, reads them from stdin')
    .option('--file <file>', 'the SQL stands in this file')
    .option('--question <text>', 'what the SQL is to answer: finds what it forgot')
    .option('--fix', 'print the SQL with the proposed changes; what is still open goes to stderr')
    .option('--write', 'with --fix and --file: change the file instead')
    .addOption(new Option('-f, --format <format>', 'of the findings').choices(REPORT_FORMATS).default('text'))
    .option('--severity <code=severity>', 'error, warning, note or off; may be repeated', collect)
    .option('--without <tool>', 'leaves out retriever, detector or planner; may be repeated', collect)
    .option('--value-index <file>', 'look cells up in this index of `askema index`')
    .option(...ALLOW_FUNCTION)
    .option(...HIDE)
    .option(...MASK)
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .addHelpText('after', LINT_HELP)
    .action(async (database: string | undefined, sql: readonly string[], flags: LintFlags) => {
      const { withWorker } = await import('../../database/with-worker.ts');
      const code = await withWorker(database, context, async (started) => {
        const { runLint } = await import('./lint.ts');
        return runLint(database === undefined ? [] : [database, ...sql], flags, started);
      });
      onExitCode(code);
    });
}

const LINT_HELP = `
Examples:
  askema lint shop.sqlite "SELECT name FROM customer WHERE city = 'london'"
  askema lint shop.sqlite --file report.sql --question "Customers of each city"
  askema lint shop.sqlite --file report.sql --fix > mended.sql
  askema lint shop.sqlite --file report.sql --severity redundant-join=off --format json

Nothing of the SQL runs. Cells are looked up where a condition compares with a text, and EXPLAIN comes last.
Exit code 1 where an error was found. Rules of your own and severities: \`lint\` in askema.config.ts.
`;
