import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { type LanguageModel, type Solver, systemRuntime } from '@askema/core';
import { askemaTools, type DesignTools, type ToolDatabase } from '@askema/tools';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ServedMcp } from '../contract.ts';
import { catalogResources, type KnowledgeTexts } from './catalog-resources.ts';
import { mcpFactory } from './mcp-factory.ts';
import { signedHandles } from './signed-handles.ts';

export interface McpStdioOptions {
  readonly stdin: Readable;
  /** Nothing else may be written to it. */
  readonly stdout: Writable;
  /** Ends the connection. */
  readonly signal?: AbortSignal | undefined;
  /** Definitions to read, by the name of the database. */
  readonly knowledge?: KnowledgeTexts | undefined;
  /** Reads which of several databases a question is about. */
  readonly model?: LanguageModel | Solver | undefined;
  /** With it there is `design_schema`. */
  readonly design?: DesignTools | undefined;
  /** As that of a server. */
  readonly within?: ServedMcp['within'];
  /** Hears of what the client does wrong. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/**
 * Serves databases to one client of the Model Context Protocol over its pipes; resolves when the client has gone, or the
 * signal fires. It closes no database.
 */
export async function serveMcpStdio(
  databases: Readonly<Record<string, ToolDatabase>>,
  { stdin, stdout, signal, knowledge, model, design, within, onError }: McpStdioOptions,
): Promise<void> {
  const handles = signedHandles({ key: randomBytes(32), clock: systemRuntime().clock });
  const served = {
    tools: askemaTools({ databases, handles, model, design }),
    resources: catalogResources(databases, knowledge),
    ...{ handles, within },
  };
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  for (const event of ['end', 'close', 'error']) stdin.once(event, resolve);
  signal?.addEventListener('abort', () => resolve(), { once: true });
  if (signal?.aborted) resolve();
  const handle = serveStdio(mcpFactory({ serve: () => served }), {
    transport: new StdioServerTransport(stdin, stdout),
    ...(onError === undefined ? {} : { onerror: onError }),
  });
  await gone;
  await handle.close();
}
