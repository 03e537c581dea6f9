import type { Command } from 'commander';
import { ALLOW_FUNCTION, HIDE, MASK } from '../../flags/options.ts';
import type { CommandContext } from '../../process/command-context.ts';
import type { RememberFlags } from './remember-run.ts';

/** Registers `askema remember`. What it needs is loaded when it runs. */
export function addRemember(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  program
    .command('remember')
    .summary('keep a right answer, or say what is wrong with one')
    .description(
      'Proposes an answer that you confirm as a verified query, or your correction as a rule or a metric. Nothing of it is used before somebody accepts it.',
    )
    .argument('[run]', 'an id of `askema history`, or its beginning (default: the last run in this folder)')
    .option('--question <text>', 'a question that the SQL answers by itself, instead of the one that was asked')
    .option('--parameter <name=value>', 'a value of the question that may be another each time; may be repeated', each)
    .option('--wrong', 'the answer is wrong: remove what you proposed for its question')
    .option('--correct <text>', 'what is wrong with the answer, in your words')
    .option('-m, --model <name>', 'with --correct: makes a metric of it where it defines a number')
    .option('--by <name>', 'who confirms or corrects (default: the user of this computer)')
    .option('--folder <folder>', 'of the knowledge (default: that of the run or of askema.config.ts, else `knowledge`)')
    .option('--json', 'print what is proposed as JSON')
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .option(...ALLOW_FUNCTION)
    .option(...HIDE)
    .option(...MASK)
    .addHelpText('after', REMEMBER_HELP)
    .action(async (run: string | undefined, flags: RememberFlags) => {
      const { rememberRun } = await import('./remember-run.ts');
      onExitCode(await rememberRun(run, flags, context));
    });
}

/** Values may hold commas. */
function each(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

const REMEMBER_HELP = `
Examples:
  askema ask shop.sqlite "Net sales in Berlin in 2024?" --knowledge knowledge
  askema remember
  askema remember --parameter city=Berlin
  askema remember 3f2a --question "Net sales in March 2024"
  askema remember --wrong
  askema remember --correct "no, net of returns" --model openai:gpt-5-mini

Proposals stand below proposals/by/ in a folder for each person, and nobody else's answers see them. No row is kept.
Exit codes: 0 fine, 1 the database or the model failed, 2 it cannot be remembered so.
`;
