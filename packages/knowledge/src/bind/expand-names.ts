import { AskemaError, didYouMean, quoteIdentifier, quoteIfNeeded } from '@askema/core';
import { isSymbol, isWord, nameOfToken, type RelationInText, relationPlaces, significantTokens } from '@askema/sql';
import { replaceSpans } from '../expression/replace-spans.ts';
import { writeExpression } from '../expression/write-expression.ts';
import type { BoundDataset, BoundKnowledge } from './bound-knowledge.ts';
import { storedName } from './name-parts.ts';

/** Words that follow a relation and are no alias. */
const BEHIND_RELATION: ReadonlySet<string> = new Set(
  'ANTI ASOF CROSS EXCEPT FETCH FOR FULL GROUP HAVING INNER INTERSECT JOIN LATERAL LEFT LIMIT MINUS NATURAL OFFSET ON ORDER OUTER POSITIONAL QUALIFY RIGHT SEMI TABLESAMPLE UNION USING WHERE WINDOW'.split(
    ' ',
  ),
);
/** Snowflake writes it in front of the names of logical tables. */
const LOGICAL_MARK = /^__/;

/**
 * A statement over datasets and fields as one over relations and columns: each dataset in FROM becomes a sub-query that
 * gives its fields. Default filters of datasets are not added: the statement says itself which rows count.
 *
 * @throws AskemaError `KNOWLEDGE_INVALID` for a name in FROM that is neither a dataset nor a CTE.
 */
export function expandNames(sql: string, bound: BoundKnowledge): string {
  const named = namedIn(sql, bound);
  return replaceSpans(sql, relationPlaces(sql, bound.dialect.lexer), (place) => {
    const alias = isAlias(place, sql, bound) ? '' : ` AS ${sql.slice(place.start, place.end)}`;
    return `(${fieldsOf(datasetOf(place, bound), named, bound)})${alias}`;
  });
}

function datasetOf({ path }: RelationInText, { datasets }: BoundKnowledge): BoundDataset {
  const [name = '', ...more] = path;
  const found = datasets.get(name.toLowerCase()) ?? datasets.get(name.replace(LOGICAL_MARK, '').toLowerCase());
  if (found !== undefined && more.length === 0) return found;
  const names = [...datasets.values()].map(({ dataset }) => dataset.name);
  const hint = didYouMean(path.join('.').replace(LOGICAL_MARK, ''), names);
  throw new AskemaError('KNOWLEDGE_INVALID', `There is no dataset \`${path.join('.')}\`. ${hint}`.trimEnd(), {
    details: { dataset: path.join('.') },
  });
}

function isAlias({ next, end }: RelationInText, sql: string, { dialect }: BoundKnowledge): boolean {
  if (next === undefined) return false;
  const [first] = significantTokens(sql.slice(end, next.end), dialect.lexer);
  if (isWord(first, 'AS') || next.kind === 'quotedName') return true;
  return next.kind === 'word' && !BEHIND_RELATION.has(next.text.toUpperCase());
}

/** Names of a statement in lower case; undefined where `*` stands for all. */
function namedIn(sql: string, { dialect }: BoundKnowledge): ReadonlySet<string> | undefined {
  const tokens = significantTokens(sql, dialect.lexer);
  const isAll = tokens.some((token, at) => {
    const before = tokens[at - 1];
    const opens = ['SELECT', 'DISTINCT', 'ALL'].some((word) => isWord(before, word));
    return isSymbol(token, '*') && (opens || isSymbol(before, ',') || isSymbol(before, '.'));
  });
  if (isAll) return undefined;
  return new Set(tokens.flatMap((token) => nameOfToken(token, dialect.lexer)?.toLowerCase() ?? []));
}

/** Only those that the statement names, so that one that the engine cannot compute breaks no other statement. */
function fieldsOf(dataset: BoundDataset, named: ReadonlySet<string> | undefined, { dialect }: BoundKnowledge): string {
  const wanted = [...dataset.fields].filter(([name]) => named === undefined || named.has(name));
  const fields = wanted.map(([, { field, expression }]) => {
    const text = writeExpression(expression, dialect, {
      column: (name) => `t.${quoteIdentifier(name.bound?.column ?? name.name, dialect)}`,
    });
    // As a name without quotes in the statement means it.
    return `${text} AS ${quoteIfNeeded(storedName({ text: field.name, isQuoted: false }, dialect), dialect)}`;
  });
  return `SELECT ${fields.length === 0 ? '1' : fields.join(', ')} FROM ${dataset.from} t`;
}
