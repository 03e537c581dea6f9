import type { Command } from 'commander';
import type { CommandContext } from '../../process/command-context.ts';
import type { InitFlags } from './init.ts';

/** Registers `askema init`. What it needs is loaded when it runs. */
export function addInit(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  program
    .command('init')
    .summary('find the databases that are here, and write askema.config.ts')
    .description(
      'Looks for database files below the working folder, for addresses in the environment such as DATABASE_URL, and for models; checks each; writes askema.config.ts and .env.example.',
    )
    .option('-y, --yes', 'write without asking on the terminal')
    .addHelpText('after', INIT_HELP)
    .action(async (flags: InitFlags) => {
      const { runInit } = await import('./init.ts');
      onExitCode(await runInit(flags, context));
    });
}

const INIT_HELP = `
Examples:
  askema init
  DATABASE_URL=postgres://reader@db.example/shop askema init --yes

No file that is there is changed, and no secret is written: an address of the environment stands in the configuration by
the name of its variable (env:DATABASE_URL).
Exit codes: 0 written, 1 nothing was found that can be asked, 2 there is a configuration already.
`;
