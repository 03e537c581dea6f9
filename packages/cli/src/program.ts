import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, Option, type OutputConfiguration } from 'commander';
import type { AskFlags } from './commands/ask.ts';
import { addCheck } from './commands/check-command.ts';
import type { CommandContext } from './commands/command-context.ts';
import type { IndexFlags } from './commands/index-values.ts';
import type { LintFlags } from './commands/lint.ts';
import { collect, withModelOptions } from './commands/model-options.ts';
import type { ModelsFlags } from './commands/models.ts';
import type { SchemaFlags } from './commands/schema.ts';
import { withoutUserInfo } from './database/address.ts';
import { addDesign } from './design/design-command.ts';
import { addEval } from './eval/eval-command.ts';
import { ANSWER_FORMATS, REPORT_FORMATS, SCHEMA_FORMATS } from './format/output-formats.ts';
import * as help from './help-text.ts';
import { addNormalize } from './normalize/normalize-command.ts';

/**
 * The command line. Each command loads what it needs only when it runs, so that help and version load no driver and no SDK.
 * `onExitCode` receives what the command that ran returns.
 */
export function createProgram(context: CommandContext, onExitCode: (code: number) => void): Command {
  const program = new Command('askema')
    .description('Ask a database a question in plain language.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', help.PROGRAM)
    .configureOutput(outputOf(context))
    .showSuggestionAfterError(true)
    .showHelpAfterError('`--help` behind the command shows its options and examples.')
    .exitOverride();
  addAsk(program, context, onExitCode);
  addSchema(program, context, onExitCode);
  addCheck(program, context, onExitCode);
  addDesign(program, context, onExitCode);
  addNormalize(program, context, onExitCode);
  addLint(program, context, onExitCode);
  addIndex(program, context, onExitCode);
  addModels(program, context, onExitCode);
  addEval(program, context, onExitCode);
  return program;
}

function addAsk(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  withModelOptions(
    program
      .command('ask')
      .summary('answer a question')
      .description('Turns a question into SQL, runs it, and prints the rows on stdout. Everything else goes to stderr.')
      .argument('[database]', help.DATABASE)
      .argument('[question...]', 'in quotes; `-` reads it from stdin'),
  )
    .addOption(new Option('-f, --format <format>', 'of the rows').choices(ANSWER_FORMATS).default('table'))
    .option('--timeout <time>', 'of all statements together: 500ms, 2s, 1m (default: 30s)')
    .option('--max-calls <count>', 'model calls for the question (default: no limit)')
    .option('--evidence <text>', 'what the question takes for granted: definitions, meanings; `@file` reads a file')
    .option('--document <file>', 'a text that the question takes for granted; may be repeated', collect)
    .option('--value-index <file>', 'look cells up in this index of `askema index`')
    .option('--trace [file]', 'what happened: a tree on stderr, or JSON lines in a file that ends in .jsonl')
    .option('--write', 'allow statements that change data, each after approval')
    .option('-y, --yes', 'with --write: approve every statement unasked')
    .addHelpText('after', help.ASK)
    .action(async (database: string | undefined, question: readonly string[], flags: AskFlags) => {
      const { runAsk } = await import('./commands/ask.ts');
      onExitCode(await runAsk(database === undefined ? [] : [database, ...question], flags, context));
    });
}

function addSchema(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  program
    .command('schema')
    .summary('print the schema of a database')
    .description('Reads the schema of a live database and prints it on stdout.')
    .argument('[database]', help.DATABASE)
    .addOption(new Option('-f, --format <format>', 'of the schema').choices(SCHEMA_FORMATS).default('text'))
    .option('--dialect <name>', 'of ddl, prisma and drizzle (default: that of the database)')
    .option('--include <glob>', 'only relations whose name fits, for example "order*"; may be repeated', collect)
    .option('--check', 'report normal forms, missing keys and suspicious foreign keys instead')
    .option('--data', 'with --check: look at the rows too')
    .option('--max-rows <count>', 'with --data: rows read of a table (default: 100000)')
    .option('--timeout <time>', 'with --data: for each table: 500ms, 2s, 1m (default: 20s)')
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .addHelpText('after', help.SCHEMA)
    .action(async (database: string | undefined, flags: SchemaFlags) => {
      const { runSchema } = await import('./commands/schema.ts');
      onExitCode(await runSchema(database, flags, context));
    });
}

function addLint(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  program
    .command('lint')
    .summary('find mistakes in SQL without running it')
    .description('Looks at SQL against the schema and the cells of a database: wrong names, joins, groups, values.')
    .argument('[database]', help.DATABASE)
    .argument('[sql...]', 'one statement or several; `-`, or nothing, reads them from stdin')
    .option('--file <file>', 'the SQL stands in this file')
    .option('--question <text>', 'what the SQL is to answer: finds what it forgot')
    .option('--fix', 'print the SQL with the proposed changes; what is still open goes to stderr')
    .option('--write', 'with --fix and --file: change the file instead')
    .addOption(new Option('-f, --format <format>', 'of the findings').choices(REPORT_FORMATS).default('text'))
    .option('--severity <code=severity>', 'error, warning, note or off; may be repeated', collect)
    .option('--without <tool>', 'leaves out retriever, detector or planner; may be repeated', collect)
    .option('--value-index <file>', 'look cells up in this index of `askema index`')
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .addHelpText('after', help.LINT)
    .action(async (database: string | undefined, sql: readonly string[], flags: LintFlags) => {
      const { runLint } = await import('./commands/lint.ts');
      onExitCode(await runLint(database === undefined ? [] : [database, ...sql], flags, context));
    });
}

function addIndex(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  program
    .command('index')
    .summary('build an index of the values of a database')
    .description('Reads the distinct texts of a database into a file in which lint and ask look them up.')
    .argument('[database]', help.DATABASE)
    .option('-o, --out <file>', 'the index (default: DATABASE.values.sqlite in the working folder)')
    .option('--exclude <glob>', 'no values of these columns, for example "customer.*mail*"; may be repeated', collect)
    .option('--exclude-personal', 'no values of columns whose name says that they are of persons')
    .option('--max-values <count>', 'of each column')
    .option('--refresh', 'read everything again')
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .addHelpText('after', help.INDEX)
    .action(async (database: string | undefined, flags: IndexFlags) => {
      const { runIndex } = await import('./commands/index-values.ts');
      onExitCode(await runIndex(database, flags, context));
    });
}

function addModels(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  program
    .command('models')
    .summary('say which model answers, and how to get one')
    .description('Shows where a model is looked for, what was found there, and which one answers now.')
    .addOption(new Option('-f, --format <format>', 'of the report').choices(REPORT_FORMATS).default('text'))
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .addHelpText('after', help.MODELS)
    .action(async (flags: ModelsFlags) => {
      const { runModels } = await import('./commands/models.ts');
      onExitCode(await runModels(flags, context));
    });
}

function outputOf({ out, err, host }: CommandContext): OutputConfiguration {
  return {
    writeOut: (text) => void out.write(text),
    writeErr: (text) => void err.write(text),
    outputError: (text, write) =>
      write(withoutUserInfo(describeUsageError(text, host.cwd)).replace(/^error:/, err.red('error:'))),
    getOutHasColors: () => out.hasColour,
    getErrHasColors: () => err.hasColour,
    getOutHelpWidth: () => out.columns ?? 100,
    getErrHelpWidth: () => err.columns ?? 100,
  };
}

/** Who forgot the command and wrote a database is told so. */
function describeUsageError(text: string, cwd: string): string {
  const [, word] = /^error: unknown command '(.+?)'/.exec(text) ?? [];
  if (word === undefined || !(/^[a-z]{2,}:/i.test(word) || existsSync(resolve(cwd, word)))) return text;
  return `error: \`${word}\` is no command. To ask it something: askema ask ${word} "QUESTION"\n`;
}

function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}
