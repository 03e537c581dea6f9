import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { FunctionVerdict } from './function-guard.ts';

/** Verdicts that are kept. */
const MAX_VERDICTS = 1_000;

/** Statements that are kept for each connection. */
const MAX_STATEMENTS = 16;

/** Longer texts are not kept. */
const MAX_CHARACTERS = 10_000;

/**
 * What was found out of statements that ran before. Only kept where nothing that it depends on can change: the file was
 * opened read-only, so no view, macro or table of it becomes another one while this process has it open.
 */
export class StatementMemory {
  readonly #verdicts = new Map<string, FunctionVerdict>();
  readonly #statements = new WeakMap<DuckDBConnection, Map<string, DuckDBPreparedStatement>>();

  /** The verdict on a statement that differs from this one in its numbers at most. */
  verdict(sql: string): FunctionVerdict | undefined {
    return this.#verdicts.get(shapeOf(sql));
  }

  /** Keeps the verdict on a query that may run. */
  keepVerdict(sql: string, verdict: FunctionVerdict): void {
    const isClear = verdict.isQuery && verdict.refusal === undefined && verdict.unknown === undefined;
    if (isClear && sql.length <= MAX_CHARACTERS) keep(this.#verdicts, shapeOf(sql), verdict, MAX_VERDICTS);
  }

  /** Takes out the statement that was prepared for this text. */
  takeStatement(connection: DuckDBConnection, sql: string): DuckDBPreparedStatement | undefined {
    const statements = this.#statements.get(connection);
    const statement = statements?.get(sql);
    statements?.delete(sql);
    return statement;
  }

  /** Keeps a statement that ran to its end, or destroys it: parameters may be of other types at the next run. */
  keepStatement(connection: DuckDBConnection, sql: string, statement: DuckDBPreparedStatement): void {
    if (sql.length > MAX_CHARACTERS || statement.parameterCount > 0) {
      statement.destroySync();
      return;
    }
    const statements = this.#statements.get(connection) ?? new Map<string, DuckDBPreparedStatement>();
    this.#statements.set(connection, statements);
    keep(statements, sql, statement, MAX_STATEMENTS)?.destroySync();
  }
}

/** Adds an entry as the newest; gives back the oldest one where there are too many. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value, most: number): Value | undefined {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return undefined;
  const [[oldest, dropped] = []] = map;
  if (oldest !== undefined) map.delete(oldest);
  return dropped;
}

/**
 * Where one of these stands, nobody but the engine says what is a number: comments, escapes in strings, dollar quotes,
 * parameters, positions, names beyond ASCII.
 */
const UNSURE = /--|\/\*|[^\t\n\r !"%&'()*+,./0-9:;<=>A-Z[\]^_a-z{|}~-]/;

/** Strings, names in quotes, words; or a number that is a token of its own. */
const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|[A-Za-z_]\w*|(?<![\w.])\d+(?:\.\d+)?(?![\w.])/g;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/**
 * A text with 0 for each of its numbers. Which functions and relations a statement names does not depend on them: two
 * statements of one shape have one tree but for its numbers.
 */
export function shapeOf(sql: string): string {
  if (UNSURE.test(sql)) return sql;
  return sql.replace(TOKENS, (token) => (isDigit(token.charCodeAt(0)) ? '0' : token));
}
