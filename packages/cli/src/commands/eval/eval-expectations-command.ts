import { type Command, Option } from 'commander';
import { collect } from '../../flags/options.ts';
import { EXPECTATION_FORMATS } from '../../format/output-formats.ts';
import type { CommandContext } from '../../process/command-context.ts';
import type { EvalExpectationsFlags } from './eval-expectations.ts';
import type { EvalJudgeExpectationsFlags } from './eval-judge-expectations.ts';
import type { EvalListExpectationsFlags } from './eval-list-expectations.ts';

type OnExitCode = (code: number) => void;

/** Registers the measure of designs that needs no gold. What each command needs is loaded when it runs. */
export function addEvalExpectations(evaluation: Command, context: CommandContext, onExitCode: OnExitCode): void {
  evaluation
    .command('list-expectations')
    .summary('list what a schema for each requirement must be able to do')
    .description('Has a model list facts, events and refusals from each requirement alone: a measure without gold.')
    .argument('<dataset>', 'a JSONL file, or a folder with requirements.jsonl')
    .option('-m, --model <name>', 'provider:model, or a name of askema.config.ts; `askema models` lists them')
    .option('-o, --out <file>', 'JSONL file, a line a requirement; a second start goes on from there')
    .option('--ids <id>', 'only these requirements; may be repeated', collect)
    .option('--limit <count>', 'only the first so many requirements')
    .option('--concurrency <count>', 'requirements at a time (default: 1)')
    .option('--json', 'print the summary as JSON')
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .addHelpText('after', LIST_HELP)
    .action(async (dataset: string, flags: EvalListExpectationsFlags) => {
      const { runEvalListExpectations } = await import('./eval-list-expectations.ts');
      onExitCode(await runEvalListExpectations(dataset, flags, context));
    });
  evaluation
    .command('judge-expectations')
    .summary('judge designs by what was expected of each requirement, without their names')
    .description('Has a model say of each expectation which designs meet it; it sees no name, in an order by chance.')
    .option('--expectations <file>', 'what list-expectations wrote')
    .option('--designs <name=dir...>', 'runs of eval design, each with a name; 8 at most', collect)
    .option('--gold <name=dataset>', 'the schemas that people made take part as well')
    .option('-m, --model <name>', 'who judges: provider:model, or a name of askema.config.ts')
    .option('-o, --out <file>', 'JSONL file, a line a requirement; a second start goes on from there')
    .option('--seed <number>', 'draws the order of the designs (default: 1)')
    .option('--concurrency <count>', 'requirements at a time (default: 1)')
    .option('--json', 'print the summary as JSON')
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .addHelpText('after', JUDGE_HELP)
    .action(async (flags: EvalJudgeExpectationsFlags) => {
      const { runEvalJudgeExpectations } = await import('./eval-judge-expectations.ts');
      onExitCode(await runEvalJudgeExpectations(flags, context));
    });
  evaluation
    .command('expectations')
    .summary('how many expectations each design meets, and how sure a difference is')
    .description('Adds up the verdicts of judge-expectations. Asks no model.')
    .argument('<files...>', 'what judge-expectations wrote')
    .option('--baseline <name>', 'the design that the others are compared with')
    .addOption(new Option('--format <name>', 'how it is written (default: text)').choices(EXPECTATION_FORMATS))
    .action(async (files: readonly string[], flags: EvalExpectationsFlags) => {
      const { runEvalExpectations } = await import('./eval-expectations.ts');
      onExitCode(await runEvalExpectations(files, flags, context));
    });
}

const EXIT_CODES =
  'Exit codes: 0, 1 a requirement failed (the next start tries it again), 2 wrong usage or input, 130 stopped.';

const LIST_HELP = `
Examples:
  askema eval list-expectations ./requirements --model openai --out expected.jsonl
  askema eval list-expectations ./requirements --limit 20 --model openai --out expected.jsonl

Every finished requirement is one line of FILE; the same command goes on and asks nothing twice.
${EXIT_CODES}
`;

const JUDGE_HELP = `
Examples:
  askema eval judge-expectations --expectations expected.jsonl --designs plain=runs/one-shot agent=runs/agent --model openai --out verdicts.jsonl
  askema eval expectations verdicts.jsonl --baseline plain

Take another model than those that designed. Every finished requirement is one line of FILE; the same command goes on.
${EXIT_CODES}
`;
