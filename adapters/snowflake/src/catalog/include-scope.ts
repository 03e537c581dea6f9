import type { SchemaPlace } from './schema-parts.ts';

/**
 * False when no relation of a schema can pass one of the globs of `IntrospectOptions.include`, so that the schema need not be read: a glob that has a
 * dot is held against the qualified name, and its letters before the first `*` or `?` must agree with it.
 */
export function mayHold(include: readonly string[] | undefined, { database, schema }: SchemaPlace): boolean {
  if (include === undefined) return true;
  const beginning = `${database}.${schema}.`;
  return include.some((glob) => {
    if (!glob.includes('.')) return true;
    const wild = glob.search(/[*?]/);
    const letters = wild < 0 ? glob : glob.slice(0, wild);
    return letters.startsWith(beginning) || (wild >= 0 && beginning.startsWith(letters));
  });
}
