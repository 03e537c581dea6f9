import { rememberEach, viewsBehind } from '@askema/adapter-kit';
import { isAskemaError, type NameParts, quoteIdentifier, quoteString, type ViewRead } from '@askema/core';
import { snowflakeDialect } from '@askema/dialects';
import { isSymbol, isWord, nameOfToken, type SqlToken, significantTokens } from '@askema/sql';
import type { SessionQuery, SnowflakeSession } from '../connection/session.ts';

/** The views that a statement reads. `now`: also where one was looked up a moment ago. */
export type ReadViews = (
  sql: string,
  query: SessionQuery,
  options?: { readonly now?: boolean },
) => Promise<readonly ViewRead[]>;

/**
 * Looks views up by `SHOW VIEWS`, which needs no warehouse: one statement for each new name. A name without a schema is
 * looked for in that of the session, or of the view in which it stands, and in PUBLIC.
 */
export function createReadViews(session: Pick<SnowflakeSession, 'query' | 'place'>): ReadViews {
  const kept = rememberEach<readonly ViewRead[]>();
  return async (sql, query, { now = false } = {}) => {
    const { limits, context } = query;
    const place = await session.place(limits);
    const show = (name: string, database: string | undefined): Promise<readonly ViewRead[]> => {
      const where = database === undefined ? 'ACCOUNT' : `DATABASE ${quoteIdentifier(database, snowflakeDialect)}`;
      const statement = `SHOW VIEWS LIKE ${quoteString(name, snowflakeDialect)} IN ${where}`;
      return kept(statement, () => showViews(session, statement, { limits, context }), now);
    };
    return viewsBehind(
      sql,
      snowflakeDialect,
      async (path, within) => {
        const [relation = '', schema, database = within?.database ?? place.database] = path.toReversed();
        const shown = schema?.toUpperCase() === 'INFORMATION_SCHEMA' ? [] : await show(relation, database);
        const schemas = schema ? [schema] : [within?.schema ?? place.schema, 'PUBLIC'];
        const fits = ({ nameParts }: ViewRead): boolean =>
          nameParts.relation === relation && schemas.some((one) => one === undefined || one === nameParts.schema);
        return shown.find(fits);
      },
      namedByText(sql),
    );
  };
}

async function showViews(
  session: Pick<SnowflakeSession, 'query'>,
  statement: string,
  query: SessionQuery,
): Promise<readonly ViewRead[]> {
  try {
    const { columns, rows } = await session.query(statement, { ...query, maxRows: 10_000 });
    const at = (name: string): number => columns.findIndex((column) => column.name.toLowerCase() === name);
    const [name, schema, database, text] = ['name', 'schema_name', 'database_name', 'text'].map(at);
    return rows.flatMap((row): ViewRead[] => {
      const [relation, ofSchema, ofDatabase, definition] = [name, schema, database, text].map((cell) =>
        String(row[cell ?? -1] ?? ''),
      );
      const nameParts: NameParts = { relation: relation ?? '', schema: ofSchema, database: ofDatabase };
      // Those of Snowflake itself.
      if (ofSchema === 'INFORMATION_SCHEMA' || ofDatabase === 'SNOWFLAKE') return [];
      return [{ nameParts, ...(definition ? { definition } : {}) }];
    });
  } catch (thrown) {
    // A database that is not there: the statement itself is told so.
    if (isAskemaError(thrown) && thrown.details.errorClass === 'identifier') return [];
    throw thrown;
  }
}

/** `db..view`, `IDENTIFIER('view')` and `TABLE('view')`. */
function namedByText(sql: string): readonly (readonly string[])[] {
  const { lexer } = snowflakeDialect;
  const tokens = significantTokens(sql, lexer);
  return tokens.flatMap((token, at) => {
    const next = tokens[at + 1];
    const name = (one: SqlToken | undefined): string | undefined => one && nameOfToken(one, lexer);
    const last = name(tokens[at + 3]);
    if (isSymbol(next, '.') && isSymbol(tokens[at + 2], '.') && last !== undefined)
      return [[name(token) ?? '', 'PUBLIC', last]];
    if (!isSymbol(next, '(') || !(isWord(token, 'IDENTIFIER') || isWord(token, 'TABLE'))) return [];
    const text = tokens[at + 2];
    if (text?.kind !== 'string') return [];
    const parts = significantTokens(text.text.replace(/^'|'$|^\$\$|\$\$$/g, ''), lexer).map(name);
    return [parts.filter((part) => part !== undefined)];
  });
}

/** Whether something is named by a value: `FROM IDENTIFIER(?)`, `TABLE($name)`. */
export function namesByValue(sql: string): boolean {
  const tokens = significantTokens(sql, snowflakeDialect.lexer);
  return tokens.some((token, at) => {
    const [open, value, close] = [tokens[at + 1], tokens[at + 2], tokens[at + 3]];
    if (!(isWord(token, 'IDENTIFIER') || isWord(token, 'TABLE')) || !isSymbol(open, '(')) return false;
    // TABLE also takes calls, which are looked at as such.
    const isCall = isWord(token, 'TABLE') && value !== undefined && nameOfToken(value, snowflakeDialect.lexer);
    return !isCall && !(value?.kind === 'string' && isSymbol(close, ')'));
  });
}
