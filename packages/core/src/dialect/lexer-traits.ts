import type { NameComparison } from '../schema/schema-id.ts';

/** How names are written and compared. */
export interface IdentifierTraits {
  /**
   * The character that opens and the one that closes a quoted name; the closing one is doubled inside unless `escape`
   * says otherwise.
   */
  readonly quote: readonly [open: string, close: string];
  readonly escape: 'double' | 'backslash';
  /** What the engine does to unquoted names before it looks them up. */
  readonly unquotedFolding: 'none' | 'upper' | 'lower';
  /** How names compare. */
  readonly comparison: NameComparison;
  /**
   * How names of databases, schemas and relations compare, where that differs from `comparison`, which then holds for
   * attributes only (MySQL on Linux: the tables `Foo` and `foo` are two, the columns are one). Like `comparison` when
   * left out.
   */
  readonly relationComparison?: NameComparison | undefined;
  /**
   * A regular expression source; a name that matches it whole, is no reserved word and survives folding needs no
   * quotes.
   */
  readonly plainPattern: string;
  /** Upper case. Words that must be quoted as names. */
  readonly reservedWords: readonly string[];
  /** Name parts in front of the relation, outermost first. */
  readonly qualifiers: readonly ('database' | 'schema')[];
  /** A longer name is an error or is cut off. */
  readonly maxLength?: number | undefined;
  /** What `maxLength` counts, bytes of UTF-8 or characters; characters when left out. */
  readonly lengthUnit?: 'characters' | 'bytes' | undefined;
}

/** What the lexer of SQL text must know. */
export interface LexerTraits {
  readonly lineComments: readonly string[];
  readonly blockComments: 'none' | 'flat' | 'nested';
  /** Characters or sequences that open and close a string, longest first. */
  readonly stringQuotes: readonly string[];
  readonly backslashEscapes: boolean;
  readonly dollarQuotes: boolean;
  /** Pairs that open and close a quoted name. */
  readonly identifierQuotes: readonly (readonly [string, string])[];
  /** What stands in double quotes and names nothing is a text, as in SQLite. */
  readonly quotedNamesMayBeText?: boolean | undefined;
  /** Prefixes of bind parameters. */
  readonly parameterPrefixes: readonly string[];
  /** A quote written twice inside of a string stands for itself; true when left out. */
  readonly doubledQuotes?: boolean | undefined;
  /** A backslash escapes inside of quoted names too. */
  readonly identifierBackslashEscapes?: boolean | undefined;
  /** Letters that belong to a string when they touch its quote; compared without case. */
  readonly stringPrefixes?:
    | readonly {
        readonly prefix: string;
        /** Like the other strings when left out. */
        readonly backslashEscapes?: boolean | undefined;
        readonly doubledQuotes?: boolean | undefined;
      }[]
    | undefined;
  /** `$tag$ … $tag$` besides `$$ … $$`. */
  readonly dollarTags?: boolean | undefined;
  /** A carriage return alone ends a line comment, too. */
  readonly carriageReturnEndsLine?: boolean | undefined;
  /** A colon behind a name or a closing bracket opens a path (`v:a.b`) and no parameter. */
  readonly colonPaths?: boolean | undefined;
  /** Pairs around text that is filled in before the engine sees it; those of dbt, Jinja and shells when left out. */
  readonly templates?: readonly (readonly [open: string, close: string])[] | undefined;
  /**
   * Regular expression sources for white space, a word, a number, an operator, where the engine differs from the
   * defaults of `lexSql`; a blank or a word may be one character long.
   */
  readonly blankPattern?: string | undefined;
  readonly wordPattern?: string | undefined;
  readonly numberPattern?: string | undefined;
  readonly operatorPattern?: string | undefined;
  /** A regular expression source for what the engine does not take as a token at all; tried first. */
  readonly unknownPattern?: string | undefined;
  /** How names without quotes are stored and how names compare inside one statement; without it case never matters. */
  readonly nameFolding?:
    | { readonly unquoted: IdentifierTraits['unquotedFolding']; readonly comparison: NameComparison }
    | undefined;
  /** What the text half of the read-only guard knows; standard SQL when left out. */
  readonly statements?: StatementTraits | undefined;
}

/**
 * How statements of a dialect begin and what they do: data for `splitStatements`, `statementKind` and `readOnlyText`.
 * All words upper case.
 */
export interface StatementTraits {
  /** First words of statements that only read, besides SELECT, VALUES, WITH and EXPLAIN. */
  readonly readers?: readonly string[] | undefined;
  /**
   * Beginnings of statements that may stand in front of a query because they change nothing but this text's own
   * variables and functions.
   */
  readonly setup?: readonly (readonly string[])[] | undefined;
  /**
   * Functions that change something or reach out of the database: a statement that calls one is not read-only. `*` at
   * the end stands for any rest, a dot in front for a name behind a dot without a call (`sequence.NEXTVAL`), a dot
   * inside for a name behind that one (`AI.*`).
   */
  readonly effectFunctions?: readonly string[] | undefined;
  /**
   * Those of `effectFunctions` that may stand as a table without brackets, because the engine takes their arguments from
   * WHERE as well (`FROM fsdir WHERE path = '.'`), and tables of the engine that show raw pages or memory.
   */
  readonly effectTables?: readonly string[] | undefined;
  /**
   * Functions that only compute or read, for a guard that refuses every other one, in upper case; among them words that
   * stand in front of a bracket and are neither functions nor reserved (`AGAINST (…)`). The text half of the guard does
   * not look at it, because it cannot know whether a function is there at all.
   */
  readonly harmlessFunctions?: readonly string[] | undefined;
  /**
   * Words that open a bracket and are no reserved words, so that they could also be names of functions: they are clauses
   * where no operand can stand (`) OVER (`, `t AT (`). In upper case.
   */
  readonly clauseWords?: readonly string[] | undefined;
  /**
   * First words of statements that no call of an adapter may run, whatever it was granted: they end the transaction of
   * the call, leave something on a connection that other calls use, act on the whole server, or reach for its files.
   */
  readonly neverRun?: readonly string[] | undefined;
  /** How deep a statement may nest before it ends the engine; 1,000 when left out. Guards refuse what nests deeper. */
  readonly maxNested?: number | undefined;
  /** Scripts of IF, LOOP, BEGIN … END: `;` inside of them ends no statement. */
  readonly scripting?: { readonly declareOpensBlock: boolean } | undefined;
  /** An operator that chains whole statements into one. */
  readonly chainOperator?: string | undefined;
}
