import { type Command, Option } from 'commander';
import { collect, DATABASE, HIDE, MASK, withModelOptions } from '../../flags/options.ts';
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
    .option('--timeout <time>', 'of each statement: 500ms, 2s, 1m (default: 30s)')
    .option('--evidence <text>', 'what all questions take for granted: definitions, meanings; `@file` reads a file')
    .option('--document <file>', 'a text that all questions take for granted; may be repeated', collect)
    .option(
      '--knowledge <folder>',
      'definitions of `askema knowledge` to answer by (default: knowledge.folder of the configuration)',
    )
    .option('--no-knowledge', 'without the folder of the configuration')
    .option(...HIDE)
    .option(...MASK)
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
