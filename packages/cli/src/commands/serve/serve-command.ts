import type { Command } from 'commander';
import {
  DATABASE,
  HIDE,
  KNOWLEDGE,
  MASK,
  NO_KNOWLEDGE,
  STATEMENT_TIMEOUT,
  withModelOptions,
} from '../../flags/options.ts';
import type { CommandContext } from '../../process/command-context.ts';
import type { ServeFlags } from './serve.ts';

/** Registers `askema serve`. What it needs is loaded when it runs. */
export function addServe(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  withModelOptions(
    program
      .command('serve')
      .summary('serve databases to applications and agents over HTTP')
      .description(
        'Serves databases over HTTP: questions, conversations, catalog, SQL. Everything only reads. Without DATABASE, all of askema.config.ts.',
      )
      .argument('[database...]', `${DATABASE}; NAME=DATABASE names one`),
  )
    .option('-p, --port <port>', 'to listen at; 0 takes any that is free', '8471')
    .option(
      '--host <address>',
      'to listen at; any other than loopback needs `server.auth` in askema.config.ts',
      '127.0.0.1',
    )
    .option(...STATEMENT_TIMEOUT)
    .option('--queue <address>', 'share questions and runs with other servers: postgres://host/database')
    .option('--concurrency <count>', 'questions that each server of a queue works on at a time (default: 16)')
    .option(...KNOWLEDGE)
    .option(...NO_KNOWLEDGE)
    .option(...HIDE)
    .option(...MASK)
    .option('--new-key <name>', 'print a new key for somebody, and its entry for the configuration, and end')
    .addHelpText('after', SERVE_HELP)
    .action(async (databases: readonly string[], flags: ServeFlags & { readonly newKey?: string }) => {
      if (flags.newKey !== undefined) {
        const { newKey } = await import('./new-key.ts');
        return onExitCode(await newKey(flags.newKey, context));
      }
      const { runServe } = await import('./serve.ts');
      onExitCode(await runServe(databases, flags, context));
    });
}

const SERVE_HELP = `
Examples:
  askema serve shop.sqlite
  askema serve sales=shop.sqlite hr=postgres://localhost/people --port 9000
  askema serve --config company.config.ts --host 0.0.0.0
  askema serve --queue postgres://askema@queue-host/runs
  askema serve --new-key reports
  curl -s http://127.0.0.1:8471/v1/ask -H 'content-type: application/json' -d '{"question":"How many orders are there?"}'

Without \`server.auth\` in askema.config.ts, everybody on this machine may ask, and nobody else.
SIGTERM and Ctrl-C let what runs end, for 10 seconds; a second one stops at once. \`askema audit\` shows what was run.
Exit codes: 0 stopped, 2 wrong usage or configuration, 130 and 143 where something did not end in time.
`;
