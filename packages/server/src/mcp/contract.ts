import type { ResumeHandles, Tool, ToolContext } from '@askema/tools';
import type { McpRequestContext } from '@modelcontextprotocol/server';
import type { ServedMcp } from '../contract.ts';

/** Something that a client can read: text that whoever asks may see. */
export interface McpResource {
  /** Names it in lists; one of a kind. */
  readonly name: string;
  readonly uri: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  read(signal: AbortSignal): Promise<string>;
}

/** What one caller gets. */
export interface McpServed {
  /** In the order of the list. */
  readonly tools: readonly Tool[];
  readonly resources?: readonly McpResource[] | undefined;
  /** Checks the state that comes back from the client: those that `tools` give. */
  readonly handles: ResumeHandles;
  /** Goes along with each call. */
  readonly context?: Pick<ToolContext, 'tenant' | 'tags'> | undefined;
  readonly within?: ServedMcp['within'];
}

export interface McpFactoryOptions {
  /** What this request, or this connection, may use. */
  serve(context: McpRequestContext): Promise<McpServed> | McpServed;
}
