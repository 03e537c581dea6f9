import { listEntries, loadKnowledge, remember } from '@askema/knowledge';
import type { KnowledgeReader, ServedKnowledge } from '../contract.ts';

export interface FolderKnowledgeOptions {
  /** As `askema knowledge` keeps it; for a tenant, a folder of theirs. */
  readonly folder: string | ((who: KnowledgeReader) => string);
  /** The dialect of its verified queries: `sqlite`. */
  readonly dialect: Parameters<typeof remember>[2]['dialect'];
}

/**
 * Knowledge in a folder. Each person sees what is accepted and what they propose themselves; people of one name in two
 * tenants are two persons, `tenant/name`. A proposal is a verified query below `proposals/by/`, with the question and
 * the statement, and without cells.
 */
export function folderKnowledge({ folder, dialect }: FolderKnowledgeOptions): ServedKnowledge {
  const folderOf = (who: KnowledgeReader): string => (typeof folder === 'string' ? folder : folder(who));
  return {
    async list(who) {
      const knowledge = await loadKnowledge(folderOf(who), { proposalsOf: personOf(who) });
      return listEntries(knowledge).map(({ id, kind, standing, entry }) => {
        // Where its file stands is nobody's business but of those who keep it.
        const { standing: _, ...said } = entry as unknown as Readonly<Record<string, unknown>>;
        return { id, kind, state: standing.state, entry: JSON.parse(JSON.stringify(said)) };
      });
    },
    async propose(outcome, who) {
      const { kind, id } = await remember(folderOf(who), outcome, { by: personOf(who), dialect });
      return { kind, id };
    },
  };
}

function personOf({ subject, tenant }: KnowledgeReader): string {
  const parts = tenant === undefined ? [subject] : [tenant, subject];
  return parts.map((part) => part.replace(/[%/]/g, encodeURIComponent)).join('/');
}
