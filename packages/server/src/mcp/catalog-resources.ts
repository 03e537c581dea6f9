import { AskemaError } from '@askema/core';
import { askemaTools, type ToolDatabase } from '@askema/tools';
import type { McpResource } from './contract.ts';

/** Relations of a catalog in one resource; `search_catalog` finds the others. */
const MAX_RELATIONS = 100;

/** Definitions that the questions about a database are answered by, as text. */
export type KnowledgeTexts = Readonly<Record<string, () => Promise<string> | string>>;

/** Catalogs of databases, as `search_catalog` tells them, and definitions. */
export function catalogResources(
  databases: Readonly<Record<string, ToolDatabase>>,
  knowledge: KnowledgeTexts = {},
): readonly McpResource[] {
  return [
    ...Object.entries(databases).map(([name, database]) => catalogResource(name, database)),
    ...Object.entries(knowledge).map(([name, read]) => knowledgeResource(name, read)),
  ];
}

function catalogResource(name: string, database: ToolDatabase): McpResource {
  return {
    name: `catalog of ${name}`,
    uri: uriOf(name, 'catalog'),
    title: `Catalog of ${name}`,
    description: 'Tables, columns, keys and comments. No rows.',
    mimeType: 'text/plain',
    async read(signal) {
      const search = askemaTools({ databases: { [name]: database } }).find((tool) => tool.name === 'search_catalog');
      const reply = await search?.call({ detail: 'summary', limit: MAX_RELATIONS }, { signal });
      if (reply === undefined || reply.isError)
        throw new AskemaError('DATABASE_UNAVAILABLE', `The catalog of ${JSON.stringify(name)} cannot be read now.`);
      return reply.text;
    },
  };
}

function knowledgeResource(name: string, read: KnowledgeTexts[string]): McpResource {
  return {
    name: `knowledge of ${name}`,
    uri: uriOf(name, 'knowledge'),
    title: `Definitions for ${name}`,
    description: 'What words, metrics and tables mean, as questions are answered by it.',
    mimeType: 'text/plain',
    read: async () => read(),
  };
}

function uriOf(database: string, what: string): string {
  return `askema://databases/${encodeURIComponent(database)}/${what}`;
}
