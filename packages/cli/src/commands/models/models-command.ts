import { type Command, Option } from 'commander';
import { REPORT_FORMATS } from '../../format/output-formats.ts';
import type { CommandContext } from '../../process/command-context.ts';
import type { ModelsFlags } from './models.ts';

/** Registers `askema models`. What it needs is loaded when it runs. */
export function addModels(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  program
    .command('models')
    .summary('say which model answers, and how to get one')
    .description('Shows where a model is looked for, what was found there, and which one answers now.')
    .addOption(new Option('-f, --format <format>', 'of the report').choices(REPORT_FORMATS).default('text'))
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .addHelpText('after', MODELS_HELP)
    .action(async (flags: ModelsFlags) => {
      const { runModels } = await import('./models.ts');
      onExitCode(await runModels(flags, context));
    });
}

const MODELS_HELP = `
Examples:
  askema models
  ASKEMA_MODEL=ollama:qwen3 askema models --format json

Keys are never printed, only the names of the variables that hold them.
`;
