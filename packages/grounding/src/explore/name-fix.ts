import type { Dialect, RelationId, SchemaIndex } from '@askema/core';
import { quoteIfNeeded } from '@askema/core';
import { isSymbol, isWord, nameOfToken, type SqlToken, significantTokens } from '@askema/sql';
import { distance } from 'fastest-levenshtein';
import type { NameFix, ProbeFailure } from './probe-run.ts';

/** Relations of a statement whose attributes are looked through; members of a family have the same ones. */
const MAX_RELATIONS = 50;
/**
 * A name with other letters is taken for a slip of the pen: one letter in names from six characters on, two from
 * fourteen on.
 */
const ONE_EDIT_FROM = 6;
const TWO_EDITS_FROM = 14;

/**
 * What a statement that complains about a name must have meant, where there is only one likely spelling: the one
 * attribute of the relations that it names, or the one relation, that is the same but for case, quotes, underscores and
 * blanks, or else but for a letter or two. Undefined where several are likely, or where the name exists and only does
 * not belong there.
 */
export function findNameFix(
  sql: string,
  failure: ProbeFailure,
  dialect: Dialect,
  index: SchemaIndex,
): NameFix | undefined {
  if (failure.errorClass !== 'identifier' || failure.name === undefined) return undefined;
  const from = failure.name;
  const tokens = significantTokens(sql, dialect.lexer);
  if (standsForRelation(tokens, from, dialect)) {
    const all = index.schema.relations.map(({ name }) => name);
    const to = likely(from, all, failure.nearestNames);
    return to === undefined ? undefined : { from, to };
  }
  const relations = mentionedRelations(
    new Set(tokens.flatMap((token) => nameOfToken(token, dialect.lexer) ?? [])),
    index,
  );
  const attributes = relations.flatMap(({ id }) => index.attributesOf(id).map(({ name }) => name));
  const to = likely(from, attributes, failure.nearestNames);
  if (to === undefined) return undefined;
  const owner = relations.find(({ id }) => index.attributesOf(id).some(({ name }) => name === to));
  return { from, to, relation: owner?.name };
}

/** Whether a name, or one that it is the end of, stands behind FROM or JOIN. */
function standsForRelation(tokens: readonly SqlToken[], name: string, dialect: Dialect): boolean {
  return tokens.some((token, position) => {
    if (!isNamed(token, name, dialect)) return false;
    let start = position;
    while (isSymbol(tokens[start - 1], '.')) start -= 2;
    return isWord(tokens[start - 1], 'FROM') || isWord(tokens[start - 1], 'JOIN');
  });
}

/**
 * A statement with another name in place of one that does not exist; undefined when it does not use that name, or does
 * not name the relation that the fix belongs to. Strings and comments stay as they are.
 */
export function replaceName(sql: string, { from, to, relation }: NameFix, dialect: Dialect): string | undefined {
  const tokens = significantTokens(sql, dialect.lexer);
  if (relation !== undefined && !tokens.some((token) => isNamed(token, relation, dialect))) return undefined;
  const parts: string[] = [];
  let end = 0;
  for (const token of tokens) {
    if (!isNamed(token, from, dialect)) continue;
    parts.push(sql.slice(end, token.start), quoteIfNeeded(to, dialect));
    end = token.end;
  }
  if (parts.length === 0) return undefined;
  const replaced = parts.join('') + sql.slice(end);
  return replaced === sql ? undefined : replaced;
}

/** Whether a statement uses a name. */
export function mentionsName(sql: string, name: string, dialect: Dialect): boolean {
  return significantTokens(sql, dialect.lexer).some((token) => isNamed(token, name, dialect));
}

function isNamed(token: SqlToken, name: string, dialect: Dialect): boolean {
  const found = nameOfToken(token, dialect.lexer);
  if (found === undefined) return false;
  return found === name || (token.kind === 'word' && found.toLowerCase() === name.toLowerCase());
}

function mentionedRelations(names: ReadonlySet<string>, index: SchemaIndex) {
  const found = new Map<RelationId, { readonly id: RelationId; readonly name: string }>();
  for (const name of names) {
    for (const relation of index.relationsNamed([name])) {
      if (found.size >= MAX_RELATIONS) return [...found.values()];
      found.set(relation.id, relation);
    }
  }
  return [...found.values()];
}

/** The one candidate that a name can mean; undefined when it is one itself, or when there are several. */
function likely(
  name: string,
  candidates: readonly string[],
  nearest: readonly string[] | undefined,
): string | undefined {
  const distinct = [...new Set(candidates)];
  if (distinct.includes(name)) return undefined;
  const wanted = squash(name);
  const alike = distinct.filter((candidate) => squash(candidate) === wanted);
  if (alike.length > 0) return alike.length === 1 ? alike[0] : undefined;
  const edits = wanted.length >= TWO_EDITS_FROM ? 2 : wanted.length >= ONE_EDIT_FROM ? 1 : 0;
  if (edits === 0) return undefined;
  const near = distinct.filter((candidate) => distance(squash(candidate), wanted) <= edits);
  if (near.length !== 1) return undefined;
  // The engine knows what stands where: its own proposals must not speak for another name.
  return nearest === undefined || nearest.length === 0 || nearest[0] === near[0] ? near[0] : undefined;
}

function squash(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '');
}
