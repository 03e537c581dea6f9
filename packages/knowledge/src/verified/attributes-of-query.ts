import { type AttributeId, indexSchema, isAskemaError, type Relation, type SchemaIndex } from '@askema/core';
import { nameOfToken, relationsIn, significantTokens } from '@askema/sql';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import type { QueryParameter, VerifiedQuery } from '../model/knowledge.ts';
import type { ParameterValue } from './read-value.ts';
import { runnableStatement } from './runnable-statement.ts';

/** Any value of the type: which one, changes no name of the statement. */
const SOME: Readonly<Record<QueryParameter['type'], ParameterValue>> = {
  text: 'a',
  number: 1,
  date: '2024-01-31',
  boolean: true,
};

/**
 * The attributes whose cells a hole of a query may mean: columns that its statement names, in relations that it reads.
 * Else whoever can write into some other table would make a value of any words of a question ("Berlin without returns").
 */
export function attributesOfQuery(query: VerifiedQuery, bound: BoundKnowledge): (attribute: AttributeId) => boolean {
  const sql = statementOf(query, bound);
  // It answers nothing anyway, and says why.
  if (sql === undefined) return () => true;
  const { catalog, dialect } = bound;
  const index = indexSchema(catalog);
  const columns = new Set(
    significantTokens(sql, dialect.lexer).flatMap((token) =>
      token.kind === 'word' ? token.text.toLowerCase() : (nameOfToken(token, dialect.lexer)?.toLowerCase() ?? []),
    ),
  );
  // A name that may be several relations says of none that it is read.
  const read = relationsIn(sql, dialect.lexer).flatMap((path) => {
    const found = relationsNamed(path, index);
    return found.length === 1 ? found : [];
  });
  const relations = new Set(read.map(({ id }) => id));
  // What a view reads is not known: cells are looked up in tables.
  const readsView = read.some(({ id }) => catalog.relations[id]?.kind !== 'table');
  return (attribute) => {
    const found = index.attribute(attribute);
    if (found === undefined || !columns.has(found.name.toLowerCase())) return false;
    return readsView || relations.has(found.relation);
  };
}

/** Qualifiers that the catalog does not tell (`main` of SQLite) are left out; BigQuery quotes a whole path as one name. */
function relationsNamed(path: readonly string[], index: SchemaIndex): readonly Relation[] {
  const parts = path.length === 1 ? (path[0] ?? '').split('.') : path;
  for (const wanted of [path, ...parts.map((_, at) => parts.slice(at))]) {
    const found = index.relationsNamed(wanted);
    if (found.length > 0) return found;
  }
  return [];
}

function statementOf(query: VerifiedQuery, bound: BoundKnowledge): string | undefined {
  try {
    return runnableStatement(
      query,
      Object.fromEntries(query.parameters.map(({ name, type }) => [name, SOME[type]])),
      bound,
    );
  } catch (thrown) {
    if (!isAskemaError(thrown)) throw thrown;
    return undefined;
  }
}
