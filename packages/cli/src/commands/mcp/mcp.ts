import { AskemaError } from '@askema/core';
import { serveMcpStdio } from '@askema/server';
import { loadConfig } from '../../config/load-config.ts';
import { keptBack } from '../../database/kept-back.ts';
import { nameDatabases } from '../../database/name-databases.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import { isDebugging, stackOf } from '../../terminal/report-error.ts';
import type { AskingFlags } from '../ask/open-asked.ts';
import { usedFolder } from '../ask/open-knowledge.ts';
import { knowledgeText } from './knowledge-text.ts';
import type { McpClientName } from './mcp-command.ts';
import { openServed } from './open-served.ts';

export interface McpFlags extends AskingFlags {
  readonly design?: boolean | undefined;
  readonly printConfig?: McpClientName | undefined;
}

/** `askema mcp DATABASE…`; returns the exit code when the client has gone. */
export async function runMcp(words: readonly string[], flags: McpFlags, context: CommandContext): Promise<number> {
  const { host, err, signal } = context;
  const loaded = await loadConfig(host.cwd, flags.config, context);
  const preset = loaded.config.defaults?.database;
  const named = nameDatabases(words.length > 0 || preset === undefined ? words : [preset], loaded);
  if (named.length === 0)
    throw new AskemaError(
      'INPUT_INVALID',
      'DATABASE is missing: askema mcp DATABASE. `askema mcp --help` shows examples.',
    );
  const served = await openServed(named, flags, loaded, context);
  try {
    const isTerminal = host.stdin.isTTY === true;
    if (isTerminal)
      await err.write(
        `${err.dim('Waiting for an agent on stdin. `askema mcp DATABASE --print-config claude` prints what an agent needs to start this itself.')}\n`,
      );
    const folder = usedFolder(flags.knowledge, loaded, host.cwd);
    const read = folder === undefined ? undefined : () => knowledgeText(folder);
    // It names relations, columns and values: none of it is shown where some of these are kept back.
    const whole = named.filter(({ address }) => {
      const { hide, mask } = keptBack(address, loaded, flags);
      return hide.length + mask.length === 0;
    });
    const knowledge = read === undefined ? {} : Object.fromEntries(whole.map(({ name }) => [name, read]));
    await serveMcpStdio(served.databases, {
      ...{ knowledge, model: served.model, design: served.design, within: loaded.config.tracing?.within },
      ...{ stdin: host.stdin, stdout: host.stdout, signal },
      ...(isDebugging(host.env) ? { onError: (error: Error) => void err.write(stackOf(error)) } : {}),
    });
  } finally {
    await served.close();
  }
  return EXIT.ok;
}
