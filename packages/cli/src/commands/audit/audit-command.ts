import { type Command, Option } from 'commander';
import type { CommandContext } from '../../process/command-context.ts';
import type { AuditFlags } from './audit.ts';

/** Registers `askema audit`. What it needs is loaded when it runs. */
export function addAudit(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  program
    .command('audit')
    .summary('show what a server ran, and for whom')
    .description(
      'Shows the statements of `askema serve`, in the order in which they ended; those without an end come last.',
    )
    .option('--since <time>', 'sent then or later: 30m, 12h, 1d, 2w, or a date')
    .option('--caller <name>', 'of this caller')
    .option('--tenant <name>', 'of this tenant')
    .option('--database <name>', 'of this database, as the server names it')
    .addOption(
      new Option('--outcome <outcome>', 'how they ended; open: they still run, or the server died').choices([
        'done',
        'refused',
        'failed',
        'cancelled',
        'open',
      ]),
    )
    .option('--limit <count>', 'the last so many (default: 100 as a table, all as jsonl)')
    .addOption(new Option('-f, --format <format>', 'of the lines').choices(['table', 'jsonl']).default('table'))
    .option('--file <file>', 'the log (default: server.audit.file of the configuration, else that of the state folder)')
    .option('--config <file>', 'instead of the nearest askema.config.ts')
    .addHelpText('after', AUDIT_HELP)
    .action(async (flags: AuditFlags) => {
      const { runAudit } = await import('./audit.ts');
      onExitCode(await runAudit(flags, context));
    });
}

const AUDIT_HELP = `
Examples:
  askema audit --since 1d
  askema audit --caller ann --outcome refused
  askema audit --database sales --since 2026-11-01 --format jsonl > november.jsonl

The log holds no rows. SQL stands in it as \`server.audit.sql\` of the configuration says: without texts and numbers, unless
told otherwise. Exit codes: 0 done, 2 there is no log or wrong usage.
`;
