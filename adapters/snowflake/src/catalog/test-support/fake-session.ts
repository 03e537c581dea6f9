import { AskemaError, type Parameter, type Value } from '@askema/core';
import type { SessionQuery, SnowflakeSession } from '../../connection/session.ts';

/** A result as Snowflake gives it: names of columns and rows of cells by name. */
export type FakeAnswer = readonly Readonly<Record<string, Value>>[];

/** Answers one statement, or throws what the session would. */
export type AnswerStatement = (sql: string, parameters: readonly Parameter[]) => FakeAnswer | Promise<FakeAnswer>;

export interface FakeSession extends SnowflakeSession {
  /** Every statement that was sent. */
  readonly sent: readonly string[];
  /** The most that ran at one time. */
  readonly most: () => number;
}

/** A session over a function. It keeps to limits as the real one does. */
export function fakeSession(answer: AnswerStatement, database: string | undefined = 'SALES'): FakeSession {
  const sent: string[] = [];
  let running = 0;
  let most = 0;
  const query = async (
    sql: string,
    { parameters = [], limits, maxRows }: SessionQuery & { maxRows?: number | undefined },
  ) => {
    limits.throwIfOver();
    sent.push(sql);
    running += 1;
    most = Math.max(most, running);
    try {
      await limits.race(new Promise<void>((resolve) => setImmediate(resolve)));
      const all = await limits.race(Promise.resolve(answer(sql, parameters as readonly Parameter[])));
      const names = selected(sql) ?? Object.keys(all[0] ?? {});
      const rows = all.slice(0, maxRows).map((row) => names.map((name) => row[name] ?? null));
      const columns = names.map((name) => ({ name, nativeType: 'TEXT', type: 'TEXT' as const }));
      return { columns, rows, truncated: rows.length < all.length };
    } finally {
      running -= 1;
    }
  };
  const absent = async (): Promise<never> => {
    throw new AskemaError('INTERNAL', 'The introspector has no use for it.');
  };
  return {
    sent,
    most: () => most,
    query,
    stream: absent,
    describe: absent,
    place: async (limits) => {
      limits.throwIfOver();
      return { database };
    },
    close: async () => undefined,
  };
}

/** Names of the columns that a SELECT on metadata asks for. */
function selected(sql: string): string[] | undefined {
  const list = /^SELECT (.+?) FROM "/.exec(sql)?.[1];
  const aliases = [...(list ?? '').matchAll(/ AS (\w+)/g)].map(([, alias]) => alias ?? '');
  return aliases.length > 0 ? aliases : list?.split(', ');
}

/** What the server says of a statement that it refuses. */
export function refusal(vendorCode: string, message: string): AskemaError {
  return new AskemaError('QUERY_FAILED', `Snowflake refused the statement: ${message}`, { details: { vendorCode } });
}
