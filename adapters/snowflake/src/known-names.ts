import type { Catalog, Introspector } from '@askema/core';

/** Names of relations and attributes of the last catalog that was read, for "did you mean". */
export interface KnownNames {
  names(): Iterable<string> | undefined;
  /** Remembers the names of what the introspector reads. */
  watch(introspector: Introspector): Introspector;
}

export function createKnownNames(): KnownNames {
  let known: ReadonlySet<string> | undefined;
  return {
    names: () => known,
    watch: (introspector) => ({
      async introspect(options) {
        const catalog = await introspector.introspect(options);
        known = namesOf(catalog);
        return catalog;
      },
    }),
  };
}

function namesOf({ schema }: Catalog): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { name } of schema.relations) names.add(name);
  for (const { name } of schema.attributes) names.add(name);
  return names;
}
