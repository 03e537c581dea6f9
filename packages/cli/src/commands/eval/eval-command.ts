import { type Command, InvalidArgumentError, Option } from 'commander';
import { ALLOW_FUNCTION, collect, STATEMENT_TIMEOUT, withModelOptions } from '../../flags/options.ts';
import { COMPARISON_FORMATS, EVALUATION_FORMATS } from '../../format/output-formats.ts';
import type { CommandContext } from '../../process/command-context.ts';
import type { EvalBuildMismatchFlags } from './eval-build-mismatch.ts';
import type { EvalCalibrateFlags } from './eval-calibrate.ts';
import type { EvalCompareFlags } from './eval-compare.ts';
import { addEvalDesign } from './eval-design-command.ts';
import { addEvalExpectations } from './eval-expectations-command.ts';
import type { EvalMergeFlags } from './eval-merge.ts';
import type { EvalReportFlags } from './eval-report.ts';
import { addEvalRequirements } from './eval-requirements-command.ts';
import type { EvalRunFlags } from './eval-run.ts';
import type { EvalScoreFlags } from './eval-score.ts';

type OnExitCode = (code: number) => void;

const DATASET_FORMAT =
  'askema, spider, bird, spider2-lite, spider2-snow, defog, jsonl or csv (default: by what the files hold)';
const METRIC =
  'beside execution-match: spider2, spider2-strict, bird-ex, bird-soft-f1, spider-exact-match, test-suite or valid-sql; may be repeated';
const DATABASE = [
  '--database <address>',
  'where the databases are: a folder of files, "postgres://host/{id}", or a name of askema.config.ts',
] as const;
const REPORT = 'write a report of the run: FILE.html, FILE.md or FILE.txt';

/** Registers `askema eval` with its commands. What each needs is loaded when it runs. */
export function addEval(program: Command, context: CommandContext, onExitCode: OnExitCode): void {
  const evaluation = program
    .command('eval')
    .summary('measure a flow and a model on questions with known answers')
    .description('Measures how many questions are answered rightly.')
    .addHelpText('after', EVAL_HELP);
  addRun(evaluation, context, onExitCode);
  addCompare(evaluation, context, onExitCode);
  addReport(evaluation, context, onExitCode);
  addCalibrate(evaluation, context, onExitCode);
  addScore(evaluation, context, onExitCode);
  addMerge(evaluation, context, onExitCode);
  addBuildMismatch(evaluation, context, onExitCode);
  addEvalDesign(evaluation, context, onExitCode);
  addEvalExpectations(evaluation, context, onExitCode);
  addEvalRequirements(evaluation, context, onExitCode);
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
    .option(
      '--predictions <dir>',
      'write each answer there as ID.sql and ID.csv, as the program of Spider 2.0 takes them',
    )
    .option('--baseline <dir>', 'an earlier run: questions whose gold gives other results than then are marked')
    .option(...STATEMENT_TIMEOUT)
    .option('--value-index <dir>', 'look cells up in DIR/ID.values.sqlite, indexes of `askema index`')
    .option('--knowledge <dir>', 'ask with what the business means: a folder of knowledge, or DIR/ID for each database')
    .option(...DATABASE);
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
    .addOption(withoutGold('--hide <pattern>'))
    .addOption(withoutGold('--mask <pattern>'))
    .option('--retry-failed', 'ask again what failed before')
    .option('--force', 'go on in a folder that holds a run of another configuration')
    .addHelpText('after', EVAL_RUN_HELP)
    .action(async (dataset: string, flags: EvalRunFlags) => {
      const { runEvalRun } = await import('./eval-run.ts');
      onExitCode(await runEvalRun(dataset, flags, context));
    });
}

/** An option that other commands have, so that people try it here: it is refused with the reason. */
function withoutGold(flags: string): Option {
  return new Option(flags).hideHelp().argParser(() => {
    throw new InvalidArgumentError(
      'The SQL of the answers runs on the whole database, so an evaluation hides nothing from it. Give it a role, or a copy of the database, that holds what may be seen.',
    );
  });
}

function addCompare(evaluation: Command, context: CommandContext, onExitCode: OnExitCode): void {
  withReportOptions(
    evaluation
      .command('compare')
      .summary('compare two runs, question by question or design by design')
      .description(
        'Says which of two runs is better, by how much, how sure that is, and which questions changed sides.',
      )
      .argument('<before>', 'the folder of a run')
      .argument('<after>', 'the folder of another one'),
    COMPARISON_FORMATS,
  )
    .addHelpText('after', EVAL_COMPARE_HELP)
    .action(async (before: string, after: string, flags: EvalCompareFlags) => {
      const { runEvalCompare } = await import('./eval-compare.ts');
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
    .addHelpText('after', EVAL_REPORT_HELP)
    .action(async (directory: string, flags: EvalReportFlags) => {
      const { runEvalReport } = await import('./eval-report.ts');
      onExitCode(await runEvalReport(directory, flags, context));
    });
}

function addCalibrate(evaluation: Command, context: CommandContext, onExitCode: OnExitCode): void {
  evaluation
    .command('calibrate')
    .summary('fit how sure answers are, from runs with known answers')
    .description('Fits a table of confidence on runs of the flow `auto` with one model, and says what it is worth.')
    .argument('<dirs...>', 'the folders of runs of the same model')
    .option('--target <percent>', 'of the sure answers that have to be right (default: 97)')
    .option('-o, --out <file>', 'write the table there, for --confidence and `auto({ confidence })`')
    .addHelpText('after', EVAL_CALIBRATE_HELP)
    .action(async (directories: readonly string[], flags: EvalCalibrateFlags) => {
      const { runEvalCalibrate } = await import('./eval-calibrate.ts');
      onExitCode(await runEvalCalibrate(directories, flags, context));
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
    .option(...DATABASE)
    .option('-o, --out <dir>', 'keep the results there, as a run')
    .option('--report <file>', REPORT);
  withSelection(command)
    .option('--concurrency <count>', 'questions at a time (default: 1)')
    .option(...ALLOW_FUNCTION)
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .addHelpText('after', EVAL_SCORE_HELP)
    .action(async (dataset: string, predictions: string, flags: EvalScoreFlags) => {
      const { runEvalScore } = await import('./eval-score.ts');
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
    .addHelpText('after', EVAL_MERGE_HELP)
    .action(async (directories: readonly string[], flags: EvalMergeFlags) => {
      const { runEvalMerge } = await import('./eval-merge.ts');
      onExitCode(await runEvalMerge(directories, flags, context));
    });
}

function addBuildMismatch(evaluation: Command, context: CommandContext, onExitCode: OnExitCode): void {
  evaluation
    .command('build-mismatch')
    .summary('make a set of questions whose values are stored otherwise')
    .description(
      'Changes a value in questions by rule, so that no cell is written so, for a person to accept or reject.',
    )
    .argument('<dataset>', 'a folder of Spider, or of another dataset with SQLite files')
    .option('-o, --out <dir>', 'folder for the set; a second start goes on from there')
    .option('--format <name>', DATASET_FORMAT)
    .option('--seed <number>', 'the same seed changes the same questions in the same way (default: 1)')
    .option('--limit <count>', 'only the first so many questions')
    .option('--accept-all', 'take what is proposed, unseen')
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .addHelpText('after', EVAL_BUILD_MISMATCH_HELP)
    .action(async (dataset: string, flags: EvalBuildMismatchFlags) => {
      const { runEvalBuildMismatch } = await import('./eval-build-mismatch.ts');
      onExitCode(await runEvalBuildMismatch(dataset, flags, context));
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

function withReportOptions(command: Command, formats: readonly string[] = EVALUATION_FORMATS): Command {
  return command
    .addOption(
      new Option('-f, --format <format>', 'of the report (default: by the ending of --out, else text)').choices(
        formats,
      ),
    )
    .option('-o, --out <file>', 'instead of stdout');
}

const EVAL_HELP = `
Examples:
  askema eval run ./questions --model lexical --out runs/lexical
  askema eval compare runs/lexical runs/openai --out compared.html
  askema eval report runs/lexical --out report.html

\`askema eval COMMAND --help\` has the options of each.
`;

const EVAL_RUN_HELP = `
Examples:
  askema eval run ./questions --model lexical --out runs/lexical --report report.html
  askema eval run own.csv --database shop.sqlite --model openai --out runs/own
  askema eval run spider/dev.json --format spider --metric spider-exact-match --model openai --out runs/spider
  askema eval run spider2-lite --database localdb --predictions submission --model openai --out runs/spider2
  askema eval run ./questions --flow refine --preset paper --threads 3 --model openai --out runs/refine
  askema eval run ./questions --sample 30 --seed 7 --concurrency 4 --model openai --out runs/sample
  askema eval run ./questions --model openai --price-input 0.25 --price-output 2 --budget-usd 5 --out runs/cheap
  askema eval run ./questions --model openai --shard 1/3 --out runs/part-1
  askema eval run ./questions --database "postgres://localhost/{id}" --model openai --out runs/postgres

DATASET is a folder or a file; what it is, its files say, or --format does.
Ctrl-C stops it; the same command goes on where it stopped. Every finished question is one line of results.jsonl in --out.
Exit codes: 0 all questions have a result (right or not), 1 the budget ended it or every question failed, 2 wrong usage or input, 130 stopped.
`;

const EVAL_COMPARE_HELP = `
Examples:
  askema eval compare runs/before runs/after
  askema eval compare runs/before runs/after --format markdown
  askema eval compare runs/before runs/after --out compared.html

Only questions that both runs have are compared, each with itself: McNemar's exact test, and a bootstrap interval of the difference.
Two runs of \`askema eval design\` are compared by requirement: scores with intervals, by the size of gold, how they lie, turns and tool calls of the roles.
`;

const EVAL_REPORT_HELP = `
Examples:
  askema eval report runs/lexical
  askema eval report runs/lexical --out report.html
  askema eval report runs/lexical --format markdown > report.md

The page is one file: it opens offline and loads nothing. A run that is still going has a report as well.
`;

const EVAL_CALIBRATE_HELP = `
Examples:
  askema eval run ./questions --flow auto --model openai --out runs/auto
  askema eval calibrate runs/auto --out confidence.json
  askema ask shop.sqlite "How many orders are open?" --flow auto --model openai --confidence confidence.json

Figures are leave-one-out: each answer is judged by a table that was fitted on all the others. A table is about one model.
`;

const EVAL_SCORE_HELP = `
Examples:
  askema eval score ./questions predicted.jsonl
  askema eval score spider/dev.json predicted.sql --metric spider-exact-match
  askema eval score spider2-lite ./submission --metric spider2 --report score.html

No model is asked. PREDICTIONS is a file with a statement a line, JSON by id, JSONL or CSV of \`id\` and \`sql\`, or a folder with
ID.sql or ID.csv for each question, as benchmarks have them submitted.
`;

const EVAL_MERGE_HELP = `
Examples:
  askema eval merge runs/part-1 runs/part-2 runs/part-3 --out runs/whole

The parts are runs of one dataset and one configuration, with --shard or with other questions each.
`;

const EVAL_BUILD_MISMATCH_HELP = `
Examples:
  askema eval build-mismatch spider --out sets/mismatch
  askema eval build-mismatch spider --out sets/mismatch --accept-all
  askema eval run sets/mismatch --model openai --align-values --out runs/aligned

Proposals stand in review.jsonl of --out, a line each: a person writes "accepted" or "rejected" into \`state\`, may correct
\`question\`, and starts the command again. What is accepted becomes questions.jsonl with databases/.
`;
