import type { NameParts } from '../schema/schema-id.ts';
import { foldName, type NameComparison } from '../schema/schema-id.ts';

/**
 * Turns the globs of `IntrospectOptions.include` into a test of relation names. `*` stands for any characters, `?` for
 * one. A glob without a dot is held against the relation's own name as well as against its whole qualified name. No
 * globs at all let every relation pass.
 */
export function createNameFilter(
  include: readonly string[] | undefined,
  comparison: NameComparison,
): (nameParts: NameParts) => boolean {
  if (include === undefined) return () => true;
  const globs = include.map((glob) => ({
    local: !glob.includes('.'),
    matches: compileGlob(foldName(glob, comparison)),
  }));
  return ({ database, schema, relation }) => {
    const name = foldName(relation, comparison);
    const qualified = foldName([database, schema, relation].filter((part) => part !== undefined).join('.'), comparison);
    return globs.some(({ local, matches }) => matches(qualified) || (local && matches(name)));
  };
}

/** Greedy matching with one point to go back to: linear but for the product of the two lengths, whatever the glob. */
function compileGlob(glob: string): (text: string) => boolean {
  return (text) => {
    let at = 0;
    let position = 0;
    let star = -1;
    let resume = 0;
    while (position < text.length) {
      if (glob[at] === '*') {
        star = at;
        resume = position;
        at += 1;
      } else if (at < glob.length && (glob[at] === '?' || glob[at] === text[position])) {
        at += 1;
        position += 1;
      } else if (star >= 0) {
        at = star + 1;
        resume += 1;
        position = resume;
      } else {
        return false;
      }
    }
    while (glob[at] === '*') at += 1;
    return at === glob.length;
  };
}
