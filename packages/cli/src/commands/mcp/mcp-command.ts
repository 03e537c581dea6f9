import { type Command, Option } from 'commander';
import {
  DATABASE,
  DOCUMENT,
  EVIDENCE,
  HIDE,
  KNOWLEDGE,
  MASK,
  NO_KNOWLEDGE,
  STATEMENT_TIMEOUT,
  withModelOptions,
} from '../../flags/options.ts';
import type { CommandContext } from '../../process/command-context.ts';
import type { McpFlags } from './mcp.ts';

/** Clients whose entry `--print-config` writes. */
const MCP_CLIENTS = ['claude', 'cursor', 'vscode'] as const;

export type McpClientName = (typeof MCP_CLIENTS)[number];

/** Registers `askema mcp`. What it needs is loaded when it runs. */
export function addMcp(program: Command, context: CommandContext, onExitCode: (code: number) => void): void {
  const command = withModelOptions(
    program
      .command('mcp')
      .summary('serve databases to an agent')
      .description(
        'Serves databases to one agent over stdin and stdout, by the Model Context Protocol: ask, search the catalog, run and check SQL. Everything only reads.',
      )
      .argument('[database...]', `${DATABASE}; NAME=DATABASE names one`),
  );
  command
    .option(...STATEMENT_TIMEOUT)
    .option(...EVIDENCE)
    .option(...DOCUMENT)
    .option(...KNOWLEDGE)
    .option(...NO_KNOWLEDGE)
    .option(...HIDE)
    .option(...MASK)
    .option('--design', 'also design schemas, for the dialect of the first database; nothing is created')
    .addOption(
      new Option('--print-config <client>', 'print the entry for the configuration of a client, and end').choices(
        MCP_CLIENTS,
      ),
    )
    .addHelpText('after', MCP_HELP)
    .action(async (databases: readonly string[], flags: McpFlags) => {
      if (flags.printConfig !== undefined) {
        const { printConfig } = await import('./print-config.ts');
        return onExitCode(await printConfig(databases, flags.printConfig, command, context));
      }
      const { withWorker } = await import('../../database/with-worker.ts');
      const only = databases.length === 1 ? databases[0] : undefined;
      const code = await withWorker(only, context, async (started) => {
        const { runMcp } = await import('./mcp.ts');
        return runMcp(databases, flags, started);
      });
      onExitCode(code);
    });
}

const MCP_HELP = `
Examples:
  askema mcp shop.sqlite --print-config claude
  askema mcp shop.sqlite
  askema mcp sales=shop.sqlite hr=postgres://localhost/people --model ollama:qwen3
  askema mcp shop.sqlite --hide hr.* --mask *.email

The agent starts the command itself; typed on a terminal it waits for messages of the protocol. Ctrl-C ends it.
`;
