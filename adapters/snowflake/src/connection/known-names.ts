import { type Catalog, type Introspector, quoteIdentifier, startLimits } from '@askema/core';
import { snowflakeDialect } from '@askema/dialects';
import type { SessionPlace, SessionQuery, SnowflakeSession } from './session.ts';

/** A name that is wrong is worth this long, within the time of its statement. */
const READ_TIMEOUT_MS = 5_000;

/** Names of relations and attributes for "did you mean": of the last catalog that was read, or of one SHOW COLUMNS. */
export interface KnownNames {
  /** Where no catalog was read yet, asks once (https://docs.snowflake.com/en/sql-reference/sql/show-columns; no warehouse is needed). Never rejects. */
  read(session: Pick<SnowflakeSession, 'query' | 'place'>, query: SessionQuery): Promise<Iterable<string> | undefined>;
  /** Remembers the names of what the introspector reads. */
  watch(introspector: Introspector): Introspector;
}

export function createKnownNames(): KnownNames {
  let known: ReadonlySet<string> | undefined;
  let asked: Promise<void> | undefined;
  const ask = async (
    session: Pick<SnowflakeSession, 'query' | 'place'>,
    { limits, context }: SessionQuery,
  ): Promise<void> => {
    const own = startLimits({
      timeoutMs: Math.min(READ_TIMEOUT_MS, limits.remainingMs()),
      signal: limits.signal,
      what: 'Looking for near names',
    });
    try {
      const { columns, rows } = await session.query(`SHOW COLUMNS${scopeOf(await session.place(own))}`, {
        limits: own,
        context,
        maxRows: 10_000,
      });
      const at = ['table_name', 'column_name'].map((name) => columns.findIndex((column) => column.name === name));
      known ??= new Set(rows.flatMap((row) => at.map((position) => String(row[position] ?? ''))));
    } catch {
      // The error that made us look is what counts.
    } finally {
      own.release();
    }
  };
  return {
    async read(session, query) {
      if (known !== undefined) return known;
      asked ??= ask(session, query);
      await asked;
      return known;
    },
    watch: (introspector) => ({
      async introspect(options) {
        const catalog = await introspector.introspect(options);
        known = namesOf(catalog);
        return catalog;
      },
    }),
  };
}

function scopeOf({ database, schema }: SessionPlace): string {
  const quote = (name: string): string => quoteIdentifier(name, snowflakeDialect);
  if (database === undefined) return '';
  return schema === undefined ? ` IN DATABASE ${quote(database)}` : ` IN SCHEMA ${quote(database)}.${quote(schema)}`;
}

function namesOf({ schema }: Catalog): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { name } of schema.relations) names.add(name);
  for (const { name } of schema.attributes) names.add(name);
  return names;
}
