import type { Catalog, Dialect, RelationId } from '@askema/core';
import { MAX_WHOLE } from './choose-forms.ts';
import { prepareCatalog } from './prepared-catalog.ts';

/**
 * Of a schema that has no room in a prompt: the relations that {@link compress} shows with everything, as far as there
 * is room for them, best first. Of a family its first member.
 */
export function firstRelations(
  catalog: Catalog,
  dialect: Dialect,
  { question, knowledge }: { readonly question: string; readonly knowledge: string },
): readonly RelationId[] {
  const { ranking, groups } = prepareCatalog(catalog, dialect);
  const first = ranking.rank(question, knowledge, {}).slice(0, MAX_WHOLE);
  return first.flatMap((position) => groups[position]?.[0]?.id ?? []);
}
