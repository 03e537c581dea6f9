import type { Catalog, RelationId } from '@askema/core';

/** A relation as the reader of a text gets to know it: native types by the names of its columns. */
export type Columns = ReadonlyMap<string, string>;

/** A text that describes a catalog by single relations of groups. */
export interface GroupedText {
  readonly text: string;
  /**
   * What a reader takes each relation that the text names to have: its own columns, or those of the one relation of its
   * group that is shown.
   */
  readonly told: () => ReadonlyMap<RelationId, Columns>;
}

/**
 * The rule of ReFoRCE's published code, written anew from its description: relations of one schema whose names are
 * equal once every digit is left out are a group. Of a group with more than `over` members the first is described and
 * all are listed by name, as having a similar structure; all other relations are described. Released with `over` 10
 * (its version 5) and 1 (its version 1).
 */
export function stripDigits(
  catalog: Catalog,
  over: number,
  describe: (relation: RelationId) => string,
  list: (names: readonly string[]) => string = listOf,
): GroupedText {
  const pieces: string[] = [];
  /** The relation of which each named relation gets the columns. */
  const shownFor = new Map<RelationId, RelationId>();
  for (const members of groupsWithoutDigits(catalog)) {
    const isMerged = members.length > over;
    const [first = ''] = members;
    for (const id of isMerged ? [first] : members) {
      const piece = describe(id);
      if (piece === '') continue;
      pieces.push(piece);
      shownFor.set(id, id);
    }
    if (!isMerged) continue;
    pieces.push(list(members.map((id) => catalog.relations[id]?.nameParts.relation ?? '')));
    for (const id of members) shownFor.set(id, first);
  }
  return {
    text: pieces.join('\n'),
    told() {
      const columns = columnsByRelation(catalog);
      return new Map([...shownFor].map(([id, shown]) => [id, columns.get(shown) ?? new Map()]));
    },
  };
}

const listOf = (names: readonly string[]): string => `[${names.map((name) => `'${name}'`).join(', ')}]`;

/** A relation as its published prompts describe it: a line for the table, one for each column. */
export function promptDescriber(catalog: Catalog): (relation: RelationId) => string {
  const lines = new Map<RelationId, string[]>();
  for (const { id, relation, name, type } of catalog.schema.attributes) {
    const { nativeType = type, comment } = catalog.attributes[id] ?? {};
    const line = `Column name: ${name} Type: ${nativeType}${comment === undefined ? '' : ` Description: ${comment}`}`;
    const own = lines.get(relation);
    if (own === undefined) lines.set(relation, [line]);
    else own.push(line);
  }
  return (relation) => {
    const { database, schema, relation: name } = catalog.relations[relation]?.nameParts ?? { relation };
    const full = [database, schema, name].filter((part) => part !== undefined).join('.');
    return [`Table full name: ${full}`, ...(lines.get(relation) ?? []), '-'.repeat(50)].join('\n');
  };
}

/** Name and native type of each column, by relation. */
export function columnsByRelation(catalog: Catalog): ReadonlyMap<RelationId, Columns> {
  const columns = new Map<RelationId, Map<string, string>>(catalog.schema.relations.map(({ id }) => [id, new Map()]));
  for (const { id, relation, name, type } of catalog.schema.attributes)
    columns.get(relation)?.set(name, catalog.attributes[id]?.nativeType ?? type);
  return columns;
}

function groupsWithoutDigits(catalog: Catalog): readonly (readonly RelationId[])[] {
  const groups = new Map<string, RelationId[]>();
  for (const { id, name } of catalog.schema.relations) {
    const { database, schema } = catalog.relations[id]?.nameParts ?? {};
    const key = JSON.stringify([database, schema, name.replaceAll(/\d/g, '')]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [id]);
    else group.push(id);
  }
  return [...groups.values()];
}
