import { AskemaError, type Catalog, type EngineRead, foldName, type PlanVerdict, type RelationId } from '@askema/core';
import { PSEUDO_COLUMN } from '../resolve/find-column.ts';
import { type Accounted, lineageOf, type Restriction } from './restriction.ts';

/**
 * Holds what the engine says of a statement against what our parser made of its text: the engine reads nothing that is
 * hidden or not in the catalog, and of relations and columns that are kept back only those that the check of the text
 * has seen and let pass.
 *
 * @throws AskemaError `QUERY_REFUSED`, without a name: the statement need not have it.
 */
export function checkReads(
  { reads = [], routines = [] }: Pick<PlanVerdict, 'reads' | 'routines'>,
  accounted: Accounted,
  restriction: Restriction,
): void {
  if (routines.length > 0)
    throw new AskemaError(
      'QUERY_REFUSED',
      'The statement is not run: it may call a function of a user, by name or through an operator, a cast, a type or a policy, and what such a function reads is not known (`hide`, `mask`).',
    );
  const { hiddenRelations, hidden, masked, restricted, whole } = restriction;
  const lineage = lineageOf(whole);
  for (const { nameParts, columns = [], partition, byPolicy } of reads) {
    if (partition !== undefined && restriction.hides(partition)) throw refused('a partition that is kept back');
    const meant = relationsNamed(nameParts, restriction);
    if (meant.length === 0) throw refused('a relation that is not among those that may be read here');
    const known = new Set(namesOf(meant, whole));
    // A column that was made after the catalog was read; those that every relation has by itself are in no catalog.
    if (columns.some((name) => name !== '*' && !known.has(fold(name)) && !PSEUDO_COLUMN.test(name)))
      throw refused('a column that was not there when the catalog was read');
    for (const id of meant) {
      const line = lineage(id);
      const isSeen = byPolicy === true || line.some((each) => accounted.relations.has(each));
      if (hiddenRelations.has(id) || (restricted.has(id) && !isSeen)) throw refused('a relation that is kept back');
      const seen = new Set<string>();
      // That a masked column may be counted is no leave for a policy to compare it.
      if (byPolicy !== true)
        for (const { id: attribute, relation, name } of whole.schema.attributes)
          if (line.includes(relation) && accounted.attributes.has(attribute)) seen.add(fold(name));
      const read = new Set(columns.map(fold));
      for (const { id: attribute, relation, name } of whole.schema.attributes)
        if (
          relation === id &&
          (read.has('*') || read.has(fold(name))) &&
          (hidden.has(attribute) || (masked.has(attribute) && !seen.has(fold(name))))
        )
          throw refused('a column that is kept back');
    }
  }
}

function namesOf(meant: readonly RelationId[], { schema }: Catalog): readonly string[] {
  return schema.attributes.flatMap(({ relation, name }) => (meant.includes(relation) ? [fold(name)] : []));
}

const fold = (name: string): string => foldName(name, 'insensitive');

/** All that the name may mean: parts that one side leaves out tell nothing apart. */
function relationsNamed(named: EngineRead['nameParts'], { whole }: Restriction): readonly RelationId[] {
  const isSame = (left: string | undefined, right: string | undefined): boolean =>
    left === undefined || right === undefined || fold(left) === fold(right);
  const found = Object.entries(whole.relations).filter(
    ([, { nameParts }]) =>
      isSame(nameParts.relation, named.relation) &&
      isSame(nameParts.schema, named.schema) &&
      isSame(nameParts.database, named.database),
  );
  const exact = found.filter(([, { nameParts }]) => nameParts.schema !== undefined && named.schema !== undefined);
  return (exact.length > 0 ? exact : found).map(([id]) => id);
}

function refused(what: string): AskemaError {
  return new AskemaError(
    'QUERY_REFUSED',
    `The statement is not run: the database says that it reads ${what} (\`hide\`, \`mask\`). Name other relations or columns.`,
  );
}
