import type { Command } from 'commander';
import type { CommandContext } from '../commands/command-context.ts';
import type { EvalRunFlags } from '../commands/eval-run.ts';
import { collect, withModelOptions } from '../commands/model-options.ts';
import { addEvalDesign } from './eval-design-command.ts';
import * as help from './eval-help.ts';

type OnExitCode = (code: number) => void;

/** Registers `askema eval` with its commands. What each needs is loaded when it runs. */
export function addEval(program: Command, context: CommandContext, onExitCode: OnExitCode): void {
  const evaluation = program
    .command('eval')
    .summary('measure a flow and a model on questions with known answers')
    .description('Measures how many questions are answered rightly.')
    .addHelpText('after', help.EVAL);
  addRun(evaluation, context, onExitCode);
  addEvalDesign(evaluation, context, onExitCode);
}

function addRun(evaluation: Command, context: CommandContext, onExitCode: OnExitCode): void {
  const command = withModelOptions(
    evaluation
      .command('run')
      .summary('ask every question of a dataset and compare with its SQL')
      .description('Asks the questions of a dataset on its databases and compares each result with gold.')
      .argument('<dataset>', 'a folder, or a file of questions: askema, Spider, BIRD, Spider 2.0, defog, CSV, JSONL'),
  )
    .option('-o, --out <dir>', 'folder for the results; a second start goes on from there')
    .option('--timeout <time>', 'of each statement: 500ms, 2s, 1m (default: 30s)')
    .option('--value-index <dir>', 'look cells up in DIR/ID.values.sqlite, indexes of `askema index`')
    .option('--database <address>', 'where the databases are: "postgres://host/{id}", or a name of askema.config.ts');
  withSelection(command)
    .option('--shard <i/n>', 'only part i of n of the questions; `askema eval merge` puts the parts together')
    .option('--concurrency <count>', 'questions at a time (default: 1)')
    .option(
      '--price-input <usd>',
      'US dollars per million tokens in, for the cost (default: `prices` of askema.config.ts)',
    )
    .option('--price-output <usd>', 'US dollars per million tokens out')
    .option('--budget-usd <usd>', 'begin no further question once so much is spent')
    .option('--retry-failed', 'ask again what failed before')
    .option('--force', 'go on in a folder that holds a run of another configuration')
    .addHelpText('after', help.EVAL_RUN)
    .action(async (dataset: string, flags: EvalRunFlags) => {
      const { runEvalRun } = await import('../commands/eval-run.ts');
      onExitCode(await runEvalRun(dataset, flags, context));
    });
}

function withSelection(command: Command): Command {
  return command
    .option('--limit <count>', 'only the first so many questions')
    .option('--sample <count>', 'so many questions, drawn over all categories')
    .option('--seed <number>', 'of the sample; the same seed draws the same questions')
    .option('--category <name>', 'only these categories; may be repeated', collect)
    .option('--difficulty <name>', 'only these difficulties; may be repeated', collect)
    .option('--ids <id>', 'only these questions; may be repeated', collect);
}
