import { oneLine } from '@askema/core';

/** Characters of one definition. */
const MAX_ENTRY = 2_000;

/** The definitions of a folder that questions are answered by, a line each: its id and what it says, as JSON. */
export async function knowledgeText(folder: string): Promise<string> {
  const { listEntries, loadKnowledge, usableKnowledge } = await import('@askema/knowledge');
  const { knowledge } = usableKnowledge(await loadKnowledge(folder));
  return listEntries(knowledge)
    .map(({ id, entry }) => `${id} ${oneLine(JSON.stringify(entry), MAX_ENTRY)}`)
    .join('\n');
}
