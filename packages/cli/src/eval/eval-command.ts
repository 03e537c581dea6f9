import { type Command, Option } from 'commander';
import type { CommandContext } from '../commands/command-context.ts';
import type { EvalCompareFlags } from '../commands/eval-compare.ts';
import type { EvalMergeFlags } from '../commands/eval-merge.ts';
import type { EvalReportFlags } from '../commands/eval-report.ts';
import type { EvalRunFlags } from '../commands/eval-run.ts';
import type { EvalScoreFlags } from '../commands/eval-score.ts';
import { collect, withModelOptions } from '../commands/model-options.ts';
import { addEvalDesign } from './eval-design-command.ts';
import * as help from './eval-help.ts';
import { EVALUATION_FORMATS } from './report-format.ts';

type OnExitCode = (code: number) => void;

const DATASET_FORMAT =
  'askema, spider, bird, spider2-lite, spider2-snow, defog, jsonl or csv (default: by what the files hold)';
const METRIC =
  'beside execution-match: spider2, spider2-strict, bird-ex, bird-soft-f1, spider-exact-match, test-suite or valid-sql; may be repeated';
const REPORT = 'write a report of the run: FILE.html, FILE.md or FILE.txt';

/** Registers `askema eval` with its commands. What each needs is loaded when it runs. */
export function addEval(program: Command, context: CommandContext, onExitCode: OnExitCode): void {
  const evaluation = program
    .command('eval')
    .summary('measure a flow and a model on questions with known answers')
    .description('Measures how many questions are answered rightly.')
    .addHelpText('after', help.EVAL);
  addRun(evaluation, context, onExitCode);
  addCompare(evaluation, context, onExitCode);
  addReport(evaluation, context, onExitCode);
  addScore(evaluation, context, onExitCode);
  addMerge(evaluation, context, onExitCode);
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
    .option('--format <name>', DATASET_FORMAT)
    .option('--metric <name>', METRIC, collect)
    .option('--report <file>', REPORT)
    .option('--baseline <dir>', 'an earlier run: questions whose gold gives other results than then are marked')
    .option('--timeout <time>', 'of each statement: 500ms, 2s, 1m (default: 30s)')
    .option('--value-index <dir>', 'look cells up in DIR/ID.values.sqlite, indexes of `askema index`')
    .option('--database <address>', 'where the databases are: "postgres://host/{id}", or a name of askema.config.ts');
  withSelection(command)
    .option('--shard <i/n>', 'only part i of n of the questions; `askema eval merge` puts the parts together')
    .option('--concurrency <count>', 'questions at a time (default: 1)')
    .option('--requests-per-minute <count>', 'model calls, all questions together')
    .option('--tokens-per-minute <count>', 'tokens of model calls, all questions together')
    .option(
      '--price-input <usd>',
      'US dollars per million tokens in, for the cost (default: `prices` of askema.config.ts)',
    )
    .option('--price-output <usd>', 'US dollars per million tokens out')
    .option('--budget-usd <usd>', 'begin no further question once so much is spent')
    .option('--queue <address>', 'share the questions with other machines: postgres://host/database')
    .option('--retry-failed', 'ask again what failed before')
    .option('--force', 'go on in a folder that holds a run of another configuration')
    .addHelpText('after', help.EVAL_RUN)
    .action(async (dataset: string, flags: EvalRunFlags) => {
      const { runEvalRun } = await import('../commands/eval-run.ts');
      onExitCode(await runEvalRun(dataset, flags, context));
    });
}

function addCompare(evaluation: Command, context: CommandContext, onExitCode: OnExitCode): void {
  withReportOptions(
    evaluation
      .command('compare')
      .summary('compare two runs, question by question')
      .description(
        'Says which of two runs is better, by how much, how sure that is, and which questions changed sides.',
      )
      .argument('<before>', 'the folder of a run')
      .argument('<after>', 'the folder of another one'),
  )
    .addHelpText('after', help.EVAL_COMPARE)
    .action(async (before: string, after: string, flags: EvalCompareFlags) => {
      const { runEvalCompare } = await import('../commands/eval-compare.ts');
      onExitCode(await runEvalCompare(before, after, flags, context));
    });
}

function addReport(evaluation: Command, context: CommandContext, onExitCode: OnExitCode): void {
  withReportOptions(
    evaluation
      .command('report')
      .summary('write the report of a run')
      .description('Counts, intervals, cost, calibration, and every miss of a run with both statements and the reason.')
      .argument('<dir>', 'the folder of a run'),
  )
    .addHelpText('after', help.EVAL_REPORT)
    .action(async (directory: string, flags: EvalReportFlags) => {
      const { runEvalReport } = await import('../commands/eval-report.ts');
      onExitCode(await runEvalReport(directory, flags, context));
    });
}

function addScore(evaluation: Command, context: CommandContext, onExitCode: OnExitCode): void {
  const command = evaluation
    .command('score')
    .summary('compare SQL or results that are there already with gold')
    .description('Scores predictions that something else made, as `eval run` scores answers.')
    .argument('<dataset>', 'a folder, or a file of questions')
    .argument('<predictions>', 'a file or a folder')
    .option('--format <name>', DATASET_FORMAT)
    .option('--metric <name>', METRIC, collect)
    .option('--database <address>', 'where the databases are: "postgres://host/{id}", or a name of askema.config.ts')
    .option('-o, --out <dir>', 'keep the results there, as a run')
    .option('--report <file>', REPORT);
  withSelection(command)
    .option('--concurrency <count>', 'questions at a time (default: 1)')
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .addHelpText('after', help.EVAL_SCORE)
    .action(async (dataset: string, predictions: string, flags: EvalScoreFlags) => {
      const { runEvalScore } = await import('../commands/eval-score.ts');
      onExitCode(await runEvalScore(dataset, predictions, flags, context));
    });
}

function addMerge(evaluation: Command, context: CommandContext, onExitCode: OnExitCode): void {
  evaluation
    .command('merge')
    .summary('put the parts of a run together')
    .description('Writes one run out of several, for example of the parts that --shard made.')
    .argument('<dirs...>', 'the folders of the parts')
    .option('-o, --out <dir>', 'folder for the whole run')
    .option('--force', 'although configurations or questions differ')
    .addHelpText('after', help.EVAL_MERGE)
    .action(async (directories: readonly string[], flags: EvalMergeFlags) => {
      const { runEvalMerge } = await import('../commands/eval-merge.ts');
      onExitCode(await runEvalMerge(directories, flags, context));
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

function withReportOptions(command: Command): Command {
  return command
    .addOption(
      new Option('-f, --format <format>', 'of the report (default: by the ending of --out, else text)').choices(
        EVALUATION_FORMATS,
      ),
    )
    .option('-o, --out <file>', 'instead of stdout');
}
