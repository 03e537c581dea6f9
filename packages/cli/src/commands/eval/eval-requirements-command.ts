import type { Command } from 'commander';
import type { CommandContext } from '../../process/command-context.ts';
import type { EvalAgreementFlags } from './eval-agreement.ts';
import type { EvalBuildRequirementsFlags } from './eval-build-requirements.ts';
import type { EvalDatasetStatisticsFlags } from './eval-dataset-statistics.ts';

type OnExitCode = (code: number) => void;

/** Registers what makes and judges data sets of requirements. What each needs is loaded when it runs. */
export function addEvalRequirements(evaluation: Command, context: CommandContext, onExitCode: OnExitCode): void {
  evaluation
    .command('build-requirements')
    .summary('write requirements for schemas, with three reviews: a data set for eval design')
    .description('Has a model write a requirement for each schema, and a person or a model refine and review it.')
    .argument('<schemas>', 'a .sql file, a .json or .jsonl file of the form of RSchema, or a folder of them')
    .option('-m, --model <name>', 'who writes: provider:model, or a name of askema.config.ts')
    .option('--reviewer <name>', 'a model that reviews; without it, a person does in DIR/reviews.jsonl')
    .option('-o, --out <dir>', 'folder for the data set; a second start goes on from there')
    .option('--limit <count>', 'only the first so many schemas')
    .option('--concurrency <count>', 'schemas at a time (default: 1)')
    .option('--json', 'print the summary as JSON')
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .addHelpText('after', BUILD_HELP)
    .action(async (schemas: string, flags: EvalBuildRequirementsFlags) => {
      const { runEvalBuildRequirements } = await import('./eval-build-requirements.ts');
      onExitCode(await runEvalBuildRequirements(schemas, flags, context));
    });
  evaluation
    .command('dataset-statistics')
    .summary('count words, relations, attributes and domains of a data set of requirements')
    .description('Counts what a data set of requirements and schemas is made of.')
    .argument('<dataset>', 'a JSONL file, or a folder with requirements.jsonl')
    .option('--json', 'print them as JSON')
    .action(async (dataset: string, flags: EvalDatasetStatisticsFlags) => {
      const { runEvalDatasetStatistics } = await import('./eval-dataset-statistics.ts');
      onExitCode(await runEvalDatasetStatistics(dataset, flags, context));
    });
  evaluation
    .command('agreement')
    .summary('how far the verdicts of a person and of a judge agree')
    .description('Agreement in percent and Cohen’s kappa; of figures, the error rate as well.')
    .argument('<person>', 'a JSONL file: id, and verdict or verdicts by name')
    .argument('<judge>', 'another one, or the folder of a run of eval design, of which the scores count')
    .option('--json', 'print it as JSON')
    .addHelpText('after', AGREEMENT_HELP)
    .action(async (person: string, judge: string, flags: EvalAgreementFlags) => {
      const { runEvalAgreement } = await import('./eval-agreement.ts');
      onExitCode(await runEvalAgreement(person, judge, flags, context));
    });
}

const BUILD_HELP = `
Examples:
  askema eval build-requirements ./schemas --model openai --out ./requirements
  askema eval build-requirements ./schemas --model openai --reviewer anthropic --out ./requirements

DDL is read, never run. Every finished step is one line of DIR/results.jsonl; the same command goes on and asks nothing twice.
Without --reviewer, set \`verdict\` in DIR/reviews.jsonl to accept or revise and start again. What is accepted stands in DIR/requirements.jsonl.
Exit codes: 0, 1 a step failed (the next start tries it again), 2 wrong usage or input, 130 stopped.
`;

const AGREEMENT_HELP = `
Examples:
  askema eval agreement person.jsonl judge.jsonl
  askema eval agreement person.jsonl ./runs/agent

A line: {"id": "r1", "verdict": "right"} or {"id": "r1", "verdicts": {"tableF1": 0.8, "tableAccuracy": 0}}.
`;
