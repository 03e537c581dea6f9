import { type AttributeId, indexSchema, type SchemaIndex } from '@askema/core';
import { isSymbol, isWord, nameOfToken, relationPlaces, type SqlToken } from '@askema/sql';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { columnsIn } from '../expression/walk-expression.ts';
import type { VerifiedQuery } from '../model/knowledge.ts';
import { holesIn } from './write-parameters.ts';

/** What a statement does with a hole. */
export interface HoleUse {
  /** Whether it is compared with cells of an attribute; undefined where that cannot be told. */
  readonly comparesWith: ((attribute: AttributeId) => boolean) | undefined;
  /** So many rows: behind LIMIT, OFFSET, FETCH or TOP. */
  readonly isCount: boolean;
}

export type HoleUses = ReadonlyMap<string, HoleUse>;

const known = new WeakMap<BoundKnowledge, WeakMap<VerifiedQuery, HoleUses>>();

/** By the name of the hole. */
export function holeUses(query: VerifiedQuery, bound: BoundKnowledge): HoleUses {
  const ofBound = known.get(bound) ?? new WeakMap<VerifiedQuery, HoleUses>();
  known.set(bound, ofBound);
  const uses = ofBound.get(query) ?? usesIn(query, bound);
  ofBound.set(query, uses);
  return uses;
}

function usesIn(query: VerifiedQuery, bound: BoundKnowledge): HoleUses {
  const { tokens, holes } = holesIn(query.sql, bound.dialect);
  const columns = columnsOf(query, tokens, bound);
  const index = indexSchema(bound.catalog);
  const uses = new Map<string, HoleUse>();
  for (const [name, same] of Map.groupBy(holes, (hole) => hole.name)) {
    const compared = same.map(({ at }) => comparedBefore(tokens, at, columns) ?? comparedBehind(tokens, at, columns));
    const found = compared.flatMap((one) => one ?? []);
    uses.set(name, {
      comparesWith: found.length === 0 ? undefined : fitting(found, bound, index),
      isCount: same.some(({ at }) => countsRows(tokens, at)),
    });
  }
  return uses;
}

/** Cells of views are not looked up: those of columns of the same name stand for them. */
function fitting(
  found: readonly AttributeId[],
  { catalog }: BoundKnowledge,
  index: SchemaIndex,
): HoleUse['comparesWith'] {
  const ids = new Set(found);
  const ofViews = new Set(
    found.flatMap((id) => {
      const attribute = index.attribute(id);
      const isTable = attribute === undefined || catalog.relations[attribute.relation]?.kind === 'table';
      return isTable ? [] : [attribute.name.toLowerCase()];
    }),
  );
  return (id) => ids.has(id) || ofViews.has(index.attribute(id)?.name.toLowerCase() ?? '');
}

/** Attributes that the name of a column means, behind a name of its source or none. */
type Columns = (name: string, source: string | undefined) => readonly AttributeId[];

function columnsOf(query: VerifiedQuery, tokens: readonly SqlToken[], bound: BoundKnowledge): Columns {
  const { dialect, catalog, datasets } = bound;
  const index = indexSchema(catalog);
  const ofRelations = (source: string, name: string): readonly AttributeId[] =>
    index.relationsNamed(source).flatMap(({ id }) => index.attributeNamed(id, name)?.id ?? []);
  const ofDataset = (source: string, name: string): readonly AttributeId[] => {
    const field = datasets.get(source.toLowerCase())?.fields.get(name.toLowerCase());
    return (field === undefined ? [] : columnsIn(field.expression)).flatMap(({ bound: column }) => {
      const relation = column && datasets.get(column.dataset.toLowerCase())?.relation;
      return relation === undefined ? [] : (index.attributeNamed(relation, column?.column ?? '')?.id ?? []);
    });
  };
  const inSource = query.names === 'logical' ? ofDataset : ofRelations;
  const places = relationPlaces(query.sql, dialect.lexer).map(({ path, end }) => {
    const behind = tokens.findIndex(({ start }) => start >= end);
    const alias = tokens[isWord(tokens[behind], 'AS') ? behind + 1 : behind];
    const name = path.at(-1) ?? '';
    return { name, names: [name, alias && nameOfToken(alias, dialect.lexer)].map((one) => one?.toLowerCase()) };
  });
  return (name, source) => {
    const meant = places.filter(({ names }) => source === undefined || names.includes(source.toLowerCase()));
    const found = meant.flatMap((place) => inSource(place.name, name));
    // Of `metric(…)`, which names datasets wherever it stands.
    return found.length > 0 || source === undefined ? found : ofDataset(source, name);
  };
}

const BORDERS: ReadonlySet<string> = new Set(
  'SELECT FROM WHERE AND OR ON HAVING WHEN THEN ELSE CASE JOIN GROUP ORDER LIMIT UNION WITH VALUES'.split(' '),
);
const isBorder = (token: SqlToken): boolean => token.kind === 'word' && BORDERS.has(token.text.toUpperCase());

/** `city = :city`, `LOWER(c.city) IN ('a', :city)`: the nearest column in front, other members of a list left out. */
function comparedBefore(tokens: readonly SqlToken[], at: number, columns: Columns): readonly AttributeId[] | undefined {
  let isInList = false;
  for (let before = at - 1; before >= 0; before -= 1) {
    const token = tokens[before];
    if (token === undefined || isBorder(token)) return undefined;
    if (isSymbol(token, ',')) isInList = true;
    if (isSymbol(token, '(')) isInList = false;
    const found = isInList ? [] : columnAt(tokens, before, columns);
    if (found.length > 0) return found;
  }
  return undefined;
}

/** `:city = city`. */
function comparedBehind(tokens: readonly SqlToken[], at: number, columns: Columns): readonly AttributeId[] | undefined {
  let behind = at + 1;
  while (isSymbol(tokens[behind], ')')) behind += 1;
  const operator = tokens[behind];
  if (operator?.kind !== 'operator' && !isWord(operator, 'LIKE') && !isWord(operator, 'IN')) return undefined;
  for (; behind < tokens.length; behind += 1) {
    const token = tokens[behind];
    if (token === undefined || isBorder(token)) return undefined;
    const found = columnAt(tokens, behind, columns);
    if (found.length > 0) return found;
  }
  return undefined;
}

function columnAt(tokens: readonly SqlToken[], at: number, columns: Columns): readonly AttributeId[] {
  const nameAt = (place: number): string | undefined => {
    const token = tokens[place];
    if (token?.kind === 'quotedName') return token.text.slice(1, -1);
    return token?.kind === 'word' ? token.text : undefined;
  };
  const name = nameAt(at);
  if (name === undefined || isSymbol(tokens[at + 1], '(') || isSymbol(tokens[at + 1], '.')) return [];
  return columns(name, isSymbol(tokens[at - 1], '.') ? nameAt(at - 2) : undefined);
}

const COUNTS = ['LIMIT', 'OFFSET', 'FIRST', 'NEXT', 'TOP'];

function countsRows(tokens: readonly SqlToken[], at: number): boolean {
  const before = isSymbol(tokens[at - 1], '(') ? at - 2 : isSymbol(tokens[at - 1], ',') ? at - 3 : at - 1;
  const isFirst = isWord(tokens[before], 'FIRST') || isWord(tokens[before], 'NEXT');
  if (isFirst) return isWord(tokens[before - 1], 'FETCH');
  return COUNTS.some((word) => isWord(tokens[before], word));
}
