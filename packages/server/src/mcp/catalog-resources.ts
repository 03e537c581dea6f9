import { AskemaError } from '@askema/core';
import type { Tool } from '@askema/tools';
import type { McpResource } from './contract.ts';

/** Relations of a catalog in one resource; `search_catalog` finds the others. */
const MAX_RELATIONS = 100;

export interface ResourceDatabase {
  readonly name: string;
  /** The definitions that questions are answered by; undefined where there are none. */
  readonly knowledge?: (() => Promise<string> | string) | undefined;
}

/** Catalogs as `search_catalog` tells them, for the databases that it may be used on, and their definitions. */
export function catalogResources(search: Tool, databases: readonly ResourceDatabase[]): readonly McpResource[] {
  const argument = (database: string) => (databases.length > 1 ? { database } : {});
  return databases.flatMap(({ name, knowledge }): McpResource[] => [
    {
      name: `catalog of ${name}`,
      uri: uriOf(name, 'catalog'),
      title: `Catalog of ${name}`,
      description: 'Tables, columns, keys and comments. No rows.',
      mimeType: 'text/plain',
      async read(signal) {
        const asked = { words: '', detail: 'summary', limit: MAX_RELATIONS, ...argument(name) };
        const { text, isError } = await search.call(asked, { signal });
        if (isError) throw new AskemaError('DATABASE_UNAVAILABLE', text);
        return text;
      },
    },
    ...(knowledge === undefined ? [] : [knowledgeResource(name, knowledge)]),
  ]);
}

function knowledgeResource(name: string, knowledge: NonNullable<ResourceDatabase['knowledge']>): McpResource {
  return {
    name: `knowledge of ${name}`,
    uri: uriOf(name, 'knowledge'),
    title: `Definitions for ${name}`,
    description: 'What words, metrics and tables mean, as questions are answered by it.',
    mimeType: 'text/plain',
    read: async () => knowledge(),
  };
}

function uriOf(database: string, what: string): string {
  return `askema://databases/${encodeURIComponent(database)}/${what}`;
}
