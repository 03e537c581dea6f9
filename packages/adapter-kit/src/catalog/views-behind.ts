import type { Dialect, NameParts, ViewRead } from '@askema/core';
import { queryOfView, relationsIn } from '@askema/sql';

/** More are not followed: the last one then counts as one without a definition. */
const MOST_VIEWS = 200;

/** Looks a relation up; undefined for what is no view. `within` is the view in which the name stands. */
export type FindView = (path: readonly string[], within: NameParts | undefined) => Promise<ViewRead | undefined>;

/**
 * The views that a statement reads by its text, also through other views.
 *
 * @param more names of relations in the statement that only this dialect writes so.
 */
export async function viewsBehind(
  sql: string,
  { lexer }: Pick<Dialect, 'lexer'>,
  find: FindView,
  more: readonly (readonly string[])[] = [],
): Promise<readonly ViewRead[]> {
  const found = new Map<string, ViewRead>();
  const texts: { readonly paths: readonly (readonly string[])[]; readonly within?: NameParts }[] = [
    { paths: [...relationsIn(sql, lexer), ...more] },
  ];
  for (const { paths, within } of texts) {
    const views = await Promise.all(paths.map((path) => find(path, within)));
    for (const view of views) {
      if (view === undefined) continue;
      const { nameParts, definition } = view;
      const key = JSON.stringify([nameParts.database, nameParts.schema, nameParts.relation]);
      if (found.has(key)) continue;
      if (found.size >= MOST_VIEWS) return [...found.values(), { nameParts }];
      found.set(key, view);
      if (definition !== undefined)
        texts.push({ paths: relationsIn(queryOfView(definition, lexer), lexer), within: nameParts });
    }
  }
  return [...found.values()];
}
