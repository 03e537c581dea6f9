import { oneLine } from '@askema/core';
import type { KnowledgeReader, ServedKnowledge } from '../contract.ts';

/** Characters of one definition. */
const MAX_ENTRY = 2_000;

/** The definitions that were accepted, a line each: the id and what it says, as JSON. */
export async function knowledgeText(knowledge: ServedKnowledge, who: KnowledgeReader): Promise<string> {
  const items = await knowledge.list(who);
  return items
    .filter(({ state }) => state === 'accepted')
    .map(({ id, entry }) => `${id} ${oneLine(JSON.stringify(entry), MAX_ENTRY)}`)
    .join('\n');
}
