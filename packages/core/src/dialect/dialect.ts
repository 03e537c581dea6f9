import type { ErrorClass } from '../errors/error-code.ts';
import type { DataType } from '../schema/schema.ts';
import type { IdentifierTraits, LexerTraits } from './lexer-traits.ts';
import type { RunStatements } from './run-statements.ts';

/** How logical types and native types map onto each other. */
export interface TypeTraits {
  /** The types that DDL is written with. */
  readonly native: Readonly<Record<DataType, string>>;
  /**
   * The names of types in CAST, where they differ from `native`: MySQL takes `CAST(x AS CHAR)` and refuses
   * `CAST(x AS TEXT)`. `FLOAT` is what text is read as when it may hold any number; like `NUMERIC` when left out. Read
   * it with {@link castType}.
   */
  readonly cast?: Readonly<Partial<Record<DataType | 'FLOAT', string>>> | undefined;
  /** Types whose arguments are labels in quotes (`ENUM('a', 'b')`), in upper case. None when left out. */
  readonly labelled?: readonly string[] | undefined;
  /**
   * An attribute may have no type at all and then holds cells of any (SQLite); its native type is the empty text. False
   * when left out.
   */
  readonly untypedAttributes?: boolean | undefined;
  /** Tried in order; `pattern` is a case-insensitive regular expression source over the whole native type. */
  readonly logical: readonly { readonly pattern: string; readonly type: DataType }[];
  /** When nothing matches. */
  readonly fallback: DataType;
  /** Names that a type of a user cannot take, in lower case; undefined where users have no types. */
  readonly own?: readonly string[] | undefined;
  /** Native types for attributes of keys and unique attributes, where `native` cannot be indexed (MySQL's TEXT). */
  readonly nativeInKey?: Readonly<Partial<Record<DataType, string>>> | undefined;
  /**
   * Instead of `nativeInKey`, for the attributes of a key that has so many of these types that an index could not hold
   * them.
   */
  readonly nativeInWideKey?:
    | { readonly attributes: number; readonly native: Readonly<Partial<Record<DataType, string>>> }
    | undefined;
}

/** How DDL is written. */
export interface DdlTraits {
  readonly primaryKey: 'enforced' | 'informational' | 'none';
  readonly foreignKey: 'enforced' | 'informational' | 'none';
  readonly unique: 'enforced' | 'informational' | 'none';
  /**
   * A foreign key to a relation that is created later: `inline` where the engine allows it, else `alter`; `none` where
   * a table that is there gets no more foreign keys.
   */
  readonly forwardReference: 'inline' | 'alter' | 'none';
  /**
   * What a foreign key must refer to for the engine to take it: a `key`, primary or unique, or the `primary key`, of
   * the same types; anything when left out.
   */
  readonly foreignKeyTarget?: 'key' | 'primary key' | undefined;
  /** False where a foreign key cannot refer to its own relation; true when left out. */
  readonly selfReference?: boolean | undefined;
  /** Types that no attribute of a key can have. */
  readonly typesOutsideKeys?: readonly DataType[] | undefined;
  /** How many attributes a key can have. */
  readonly maxKeyAttributes?: number | undefined;
  /**
   * The name that the engine gives a foreign key without one, where that name may become longer than names can be:
   * `{relation}`, `{number}`. Such a key is given a shorter name.
   */
  readonly madeUpForeignKeyName?: string | undefined;
  /** CREATE TABLE takes CHECK. False when left out: conditions from elsewhere are then kept as remarks. */
  readonly check?: boolean | undefined;
  /** Attributes of a primary key may be NULL unless NOT NULL says otherwise (SQLite); false when left out. */
  readonly nullsInPrimaryKey?: boolean | undefined;
  /**
   * The native type, in upper case, of a single primary key that is the number of the row and so never NULL (SQLite's
   * INTEGER).
   */
  readonly rowNumberType?: string | undefined;
  /** Appended to informational keys, for example `NOT ENFORCED`. */
  readonly informationalSuffix?: string | undefined;
  /**
   * How comments become part of the database; without it they are written as line comments. Holes: `{text}` (a string
   * literal), `{relation}`, `{attribute}` (quoted names). `suffix` stands behind the attribute or the closing bracket,
   * `statement` follows the table.
   */
  readonly comments?:
    | { readonly placement: 'suffix' | 'statement'; readonly relation: string; readonly attribute: string }
    | undefined;
}

/** One rule from a vendor's error to its class; the first that matches wins. */
export interface ErrorRule {
  /** The vendor's code, compared whole. */
  readonly vendorCode?: string | undefined;
  /**
   * A case-insensitive regular expression source over the message. A group named `name` catches the offending
   * identifier.
   */
  readonly pattern?: string | undefined;
  readonly errorClass: ErrorClass;
}

/**
 * What the engine does where the two sides of a comparison are of different types. A literal is one that stands in the
 * statement.
 */
export interface ComparisonTraits {
  /**
   * A number against text cells: `text` compares letters ('10' comes before '9'), `number` reads each cell as a number
   * and fails at the first that is none, `number or zero` reads each cell as a number and one that is none as 0,
   * without an error (MySQL), `fails` refuses the statement.
   */
  readonly textWithNumber: 'text' | 'number' | 'number or zero' | 'fails';
  /**
   * A string that is no number against numbers: `unequal` to all of them, read as `zero` without an error (MySQL), or
   * the statement `fails`; `always fails` where even '5' is refused.
   */
  readonly numberWithText: 'unequal' | 'zero' | 'fails' | 'always fails';
  /** LIKE on numbers: `text` reads them as text. */
  readonly likeOnNumber: 'text' | 'fails';
  /** SUM and AVG of text cells: `number` reads them as numbers. */
  readonly sumOfText: 'number' | 'fails';
  /**
   * A string against dates: `text` compares letters, `iso` takes ISO 8601 only and fails otherwise, `lenient` takes
   * several formats, some of which depend on settings.
   */
  readonly dateWithText: 'text' | 'iso' | 'lenient';
  /** Boolean columns are numbers that hold whatever was stored. */
  readonly booleansAreNumbers: boolean;
}

/** Constructs that not every engine has, for {@link Dialect.foreignSyntax}. */
export type ForeignSyntax =
  | 'top'
  | 'limit'
  | 'fetch'
  | 'qualify'
  | 'ilike'
  | 'double-colon cast'
  | 'quantified sub-query'
  | 'lateral'
  | 'distinct on'
  | 'grouping sets'
  | 'typed literal'
  | 'extract'
  | 'interval'
  | 'minus'
  | 'backtick names'
  | 'bracket names'
  | 'double-quoted names';

/**
 * How clauses are written where engines differ. Each has the standard's form, or that of most engines, when left out.
 */
export interface FormTraits {
  /**
   * How many rows a query gives: `limit` is `LIMIT n OFFSET m`, `fetch` is `OFFSET m ROWS FETCH NEXT n ROWS ONLY`.
   * Default: `limit`.
   */
  readonly rowLimit?: 'limit' | 'fetch' | undefined;
  /** Truth values are the words TRUE and FALSE, or the numbers 1 and 0. Default: `words`. */
  readonly truthValues?: 'words' | 'numbers' | undefined;
  /**
   * UNION, INTERSECT and EXCEPT without duplicates: the word DISTINCT is `implied`, or must be `written`. Default:
   * `implied`.
   */
  readonly setDistinct?: 'implied' | 'written' | undefined;
  /**
   * What stands around an operand of UNION, INTERSECT and EXCEPT that has an order or a limit of its own: `brackets`,
   * or a `sub-query` that reads it. Default: `brackets`.
   */
  readonly setOperand?: 'brackets' | 'sub-query' | undefined;
}

/**
 * The grammars that parsers of SQL are asked for. A parser takes the nearest one that it has. `generic` takes most of
 * what any engine understands.
 */
export type Grammar =
  | 'ansi'
  | 'bigquery'
  | 'clickhouse'
  | 'databricks'
  | 'duckdb'
  | 'generic'
  | 'hive'
  | 'mssql'
  | 'mysql'
  | 'oracle'
  | 'postgresql'
  | 'redshift'
  | 'snowflake'
  | 'spark'
  | 'sqlite'
  | 'teradata'
  | 'trino';

/** A clause of SELECT, for {@link ScopeTraits}. */
export type ScopeClause =
  | 'select'
  | 'from'
  | 'join'
  | 'where'
  | 'group by'
  | 'having'
  | 'qualify'
  | 'window'
  | 'order by'
  | 'limit'
  | 'other';

/** What an unqualified name may mean, where engines differ. */
export interface ScopeTraits {
  /** Clauses that do not see the aliases of the select list. Every clause sees them when left out. */
  readonly aliasesHiddenIn?: readonly ScopeClause[] | undefined;
  /**
   * Clauses in which an alias of the select list comes before a column of FROM of the same name. None when left out; a
   * bare name of ORDER BY is an alias first in every engine.
   */
  readonly aliasesFirstIn?: readonly ScopeClause[] | undefined;
  /**
   * Clauses in which a name that is ambiguous in FROM may be that of a column of the result. `group by`, `having`,
   * `qualify` and `order by` when left out.
   */
  readonly outputNamesIn?: readonly ScopeClause[] | undefined;
  /**
   * JOIN binds tighter than the comma, so that `FROM a, b JOIN c ON …` hides `a` from the condition. False when left
   * out.
   */
  readonly joinBeforeComma?: boolean | undefined;
}

/** What a reader of statements must know about functions, where engines differ. Names in upper case. */
export interface FunctionTraits {
  /**
   * Aggregates that, with several arguments, compare these and are no aggregates (SQLite: MIN, MAX). None when left
   * out.
   */
  readonly scalarWithSeveral?: readonly string[] | undefined;
  /**
   * Functions whose first argument may be a bare unit of time (`DATEADD(day, …)`) and no column. Those of all engines
   * when left out.
   */
  readonly unitFirst?: readonly string[] | undefined;
  /**
   * Table functions whose columns are always the same, each with these columns as the engine stores their names. None
   * when left out.
   */
  readonly tableColumns?: Readonly<Record<string, readonly string[]>> | undefined;
  /**
   * Functions of Ossie's expression language that are written in another way here: `{0}`, `{1}` stand for the arguments,
   * `{*}` for all of them. Also the operators `/` and `||`, parts of dates (`YEAR`, `DAYOFWEEK`: 0 is Sunday), casts
   * (`CAST AS INTEGER`; of `CAST AS DECIMAL`, `{1}` and `{2}` are the sizes, of `TRY_CAST`, `{1}` is the type), and of
   * percentiles, `{1}` is what is ordered. What is written must be readable beside any operator; arguments are filled in
   * so. `null`: the engine lacks it. As in the standard when left out.
   */
  readonly written?: Readonly<Record<string, string | null>> | undefined;
}

/** A unit of the calendar. */
export type CalendarUnit = 'day' | 'week' | 'month' | 'quarter' | 'year';

/**
 * How days and periods are computed. A day is a value of the engine's type DATE, or ISO text where it has none
 * (SQLite). Holes: `{value}` and `{day}` are names, literals, calls or expressions in brackets, `{count}` a whole number
 * that may be negative. What comes out can stand beside any operator, a series in the brackets of a sub-query.
 */
export interface CalendarTraits {
  /** The day of `{value}`: a date, a time, or text that begins with an ISO date. NULL stays NULL. */
  readonly toDay: string;
  /**
   * A case-insensitive regular expression source over native types of which every value stands to the literal of a day
   * as its own day does, and CAST gives that day. Such columns are compared as they are, so that an index or a partition
   * is used. None when left out.
   */
  readonly rangeTypes?: string | undefined;
  /** A day that is known: `{text}` is its literal in quotes (`DATE {text}`). */
  readonly literal: string;
  /** The first day of the period in which `{day}` lies. Weeks begin on Monday. */
  readonly truncate: Readonly<Record<CalendarUnit, string>>;
  /** `{day}`, moved by `{count}` periods; the last day of a month stays within the month. */
  readonly add: Readonly<Record<CalendarUnit, string>>;
  /** Whole days from `{from}` to `{to}`. */
  readonly daysBetween: string;
  /**
   * A query that gives, as its only column `period`, each day from `{first}` to `{last}` that is the first of a period
   * of `{step}`, which is an entry of `steps`; `{first}` is such a day.
   */
  readonly series: string;
  readonly steps: Readonly<Record<CalendarUnit, string>>;
}

/**
 * A dialect is data: nothing here runs, and it survives JSON. Each rule's source is the vendor's documentation named in
 * the dialect's file.
 */
export interface Dialect {
  /** `sqlite`, `snowflake`, …: also the name that catalogs carry. */
  readonly name: string;
  /** For people and prompts: `SQLite`. */
  readonly displayName: string;
  /** `db.system.name` of traces, as the conventions of OpenTelemetry have it. Default: `name`. */
  readonly systemName?: string | undefined;
  /** Which grammar a parser reads its statements with. Default: `generic`. */
  readonly grammar?: Grammar | undefined;
  readonly identifiers: IdentifierTraits;
  readonly lexer: LexerTraits;
  readonly types: TypeTraits;
  readonly ddl: DdlTraits;
  readonly errors: readonly ErrorRule[];
  /** Short sentences for prompts about what this engine does differently. */
  readonly hints: readonly string[];
  /**
   * Exploration skeletons by purpose, with `{relation}`, `{attribute}`, `{pattern}` and `{limit}` to fill in. `source`,
   * a bounded piece of a relation for FROM, has `{attributes}`, `{relation}`, `{limit}` and `{alias}`. What
   * `inspectValues` asks: `cells`, the distinct cells of an attribute; `occurs`, whether a row meets `{condition}`;
   * `companions`, the cells of an attribute in such rows. Engines with LIMIT need none of the three. `definitions`, with
   * nothing to fill in, gives other rows once a view was made, replaced or dropped, and, where the engine tells,
   * once a relation or a column has another name.
   */
  readonly probes: Readonly<Record<string, string>>;
  readonly runStatements?: RunStatements | undefined;
  /** What `/` does to two integers: cut the rest off, or give a fraction. */
  readonly integerDivision?: 'cuts' | 'exact' | undefined;
  /**
   * Where NULLs come in ORDER BY without being told: as if lower than every value, as if higher, or behind them in both
   * directions. Only of engines that know NULLS FIRST and NULLS LAST.
   */
  readonly nullOrder?: 'low' | 'high' | 'last' | undefined;
  readonly comparisons?: ComparisonTraits | undefined;
  readonly forms?: FormTraits | undefined;
  readonly scopes?: ScopeTraits | undefined;
  readonly functions?: FunctionTraits | undefined;
  /** Left out where nobody wrote it down: metrics are then not grouped by time. */
  readonly calendar?: CalendarTraits | undefined;
  /**
   * What the engine does with a column beside aggregates that is not in GROUP BY: `refused` always, `determined` lets
   * those pass that a grouped key determines, `any row` takes the cell of any row of the group.
   */
  readonly ungroupedColumns?: 'refused' | 'determined' | 'any row' | undefined;
  /**
   * Functions of other engines that this one surely lacks, in upper case, each with what to write instead, as a noun
   * phrase.
   */
  readonly foreignFunctions?: Readonly<Record<string, string>> | undefined;
  /** Constructs of other engines that this one surely refuses, each with what to write instead, as a noun phrase. */
  readonly foreignSyntax?: Readonly<Partial<Record<ForeignSyntax, string>>> | undefined;
  /** What Prisma and Drizzle call this database. Left out where they do not know it. */
  readonly ormName?: 'sqlite' | 'postgresql' | 'mysql' | undefined;
}
