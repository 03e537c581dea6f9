import { type Command, Option } from 'commander';
import { collect, DATABASE, HIDE, KNOWLEDGE, MASK, NO_KNOWLEDGE, withModelOptions } from '../../flags/options.ts';
import { ANSWER_FORMATS } from '../../format/output-formats.ts';
import type { CommandContext } from '../../process/command-context.ts';
import type { AskFlags } from './ask.ts';

/** Registers `askema ask`. What it needs is loaded when it runs. */
export function addAsk(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  withModelOptions(
    program
      .command('ask')
      .summary('answer a question')
      .description('Turns a question into SQL, runs it, and prints the rows on stdout. Everything else goes to stderr.')
      .argument('[database]', DATABASE)
      .argument('[question...]', 'in quotes; `-` reads it from stdin'),
  )
    .addOption(new Option('-f, --format <format>', 'of the rows').choices(ANSWER_FORMATS).default('table'))
    .option('--timeout <time>', 'of all statements together: 500ms, 2s, 1m (default: 30s)')
    .option('--max-calls <count>', 'model calls for the question (default: no limit)')
    .option('--evidence <text>', 'what the question takes for granted: definitions, meanings; `@file` reads a file')
    .option('--document <file>', 'a text that the question takes for granted; may be repeated', collect)
    .option(...KNOWLEDGE)
    .option(...NO_KNOWLEDGE)
    .option('--value-index <file>', 'look cells up in this index of `askema index`')
    .option('--chart [file]', 'the rows as a chart: on stderr, or in a file that ends in .svg')
    .option('--trace [file]', 'what happened: a tree on stderr, or JSON lines in a file that ends in .jsonl')
    .option(...HIDE)
    .option(...MASK)
    .option('--dry-run', 'print the first request to the model as it would be sent, and send nothing')
    .option('--refresh', 'read the database anew, whatever was kept of it; ASKEMA_CATALOGS=off keeps nothing of any')
    .option('--no-history', 'keep nothing of this run; ASKEMA_HISTORY=off keeps nothing of any')
    .option('--write', 'allow statements that change data, each after approval')
    .option('-y, --yes', 'with --write: approve every statement unasked')
    .addHelpText('after', ASK_HELP)
    .action(async (database: string | undefined, question: readonly string[], flags: AskFlags) => {
      const { withWorker } = await import('../../database/with-worker.ts');
      const code = await withWorker(database, context, async (started) => {
        const { runAsk } = await import('./ask.ts');
        return runAsk(database === undefined ? [] : [database, ...question], flags, started);
      });
      onExitCode(code);
    });
}

const ASK_HELP = `
Examples:
  askema ask shop.sqlite "How many orders were placed in May?"
  askema ask shop.sqlite "Revenue by month" --format csv > revenue.csv
  askema ask shop.sqlite "Revenue by month" --chart revenue.svg
  askema ask shop.sqlite "All orders of 2024" --format jsonl --timeout 5m > orders.jsonl
  askema ask shop.sqlite "Who are our VIPs?" --evidence "a VIP spent more than 1000"
  askema ask shop.sqlite "Net revenue last quarter" --knowledge knowledge
  askema ask shop.sqlite "Cities with no customer" --model ollama:qwen3 --trace
  askema ask shop.sqlite "Set the price of product 7 to 12.50" --write
  askema ask shop.sqlite "Which category sells best per region?" --flow refine

--flow refine explores the data, tries in several threads and puts their results to the vote: a hard question ends with an
answer that was checked, or with none. It takes about ten times the model calls.

csv and jsonl write rows as they come: all of them unless --max-rows says less, and none is held. table, json and markdown
hold the result, 10000 rows at most by default.

The first of these is the model: --model, ASKEMA_MODEL, defaults.model of askema.config.ts, OPENAI_API_KEY,
ANTHROPIC_API_KEY, a local Ollama, and else the built-in reader of simple questions.
The schema, the question and, without --no-samples, a few values of each text column are sent to the model; --dry-run
shows all of it.
`;
