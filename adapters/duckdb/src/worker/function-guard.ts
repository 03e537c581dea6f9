import { basename } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type Definition, type Definitions, readDefinitions } from './definitions.ts';
import { isHarmlessFunction } from './harmless-functions.ts';
import { type NamedInTree, namedIn, queryTree } from './statement-tree.ts';

/** What the guard makes of a statement. */
export interface FunctionVerdict {
  /** Whether it is a query, or the explanation of one. The guard says no more of anything else. */
  readonly isQuery: boolean;
  /** Why a call that reads does not run it. */
  readonly refusal?: string | undefined;
  /** A name that neither the list nor the engine knows: preparing the statement should fail. */
  readonly unknown?: string | undefined;
  /** Macros of the database that the statement calls itself. */
  readonly macros?: readonly string[] | undefined;
}

/**
 * Lets a call that reads use only functions that are known to only read. DuckDB's own parser tells what a statement
 * calls, before anything is bound or run; views, macros and generated columns are followed.
 */
export interface FunctionGuard {
  /**
   * Comes before all else that a read does. Rejects with `QUERY_REFUSED` where a macro of the database stands in the place
   * of a function of the engine.
   */
  lookAround(connection: DuckDBConnection): Promise<void>;
  judge(connection: DuckDBConnection, sql: string): Promise<FunctionVerdict>;
  /** A change was made: views and macros may be others now. */
  forget(): void;
}

export interface FunctionGuardOptions {
  /** Views and macros may be made while this process runs, temporary ones for one connection alone. */
  readonly mayChange: boolean;
  /** The views that are not the engine's were made by this process, over files that may be read. */
  readonly ownViews: boolean;
  /** Where DuckDB puts what does not fit into memory, other statements' rows among it; it lets statements read there. */
  readonly tempFolder: string;
}

export function createFunctionGuard({ mayChange, ownViews, tempFolder }: FunctionGuardOptions): FunctionGuard {
  const everyConnection = {};
  let known = new WeakMap<object, DefinitionGraph>();
  const graphOf = async (connection: DuckDBConnection): Promise<DefinitionGraph> => {
    const key = mayChange ? connection : everyConnection;
    const graph = known.get(key) ?? new DefinitionGraph(await readDefinitions(connection, ownViews));
    known.set(key, graph);
    return graph;
  };
  return {
    async lookAround(connection) {
      await graphOf(connection);
    },
    async judge(connection, sql) {
      const tree = await queryTree(connection, sql);
      if (tree === undefined) return { isQuery: false };
      // Its name is a random one, and DuckDB compares paths as texts.
      if (JSON.stringify(tree).toLowerCase().includes(basename(tempFolder).toLowerCase()))
        return { isQuery: true, refusal: TEMPORARY };
      const graph = await graphOf(connection);
      const named = namedIn(tree);
      const found = await graph.findRefused(connection, named);
      const unknown = [...named.functions, ...named.engineFunctions].find((name) => !graph.knows(name));
      const macros = [...named.functions].filter((name) => graph.hasMacro(name));
      return { isQuery: true, refusal: found === undefined ? undefined : explain(found), unknown, macros };
    },
    forget() {
      known = new WeakMap();
    },
  };
}

/** A function that is not known to only read, and the way to it. */
interface Found {
  /** Undefined where the definition at the end of the way cannot be looked into. */
  readonly name?: string | undefined;
  /** The views and macros that lead there, from the statement on. */
  readonly by: readonly string[];
  /** So many definitions stand in one another. */
  readonly weight?: number | undefined;
  /** A macro that is called with fewer arguments than it has parameters. */
  readonly fillsIn?: string | undefined;
  /** A setting that tells where files lie; an empty text for one whose name is computed. */
  readonly setting?: string | undefined;
}

/** What a definition names, or the statement itself. */
interface Step {
  readonly named: NamedInTree | undefined;
  readonly by: readonly string[];
  readonly kind: 'statement' | 'internal' | 'own' | 'generated';
}

/** DuckDB puts each view and macro in its place as often as it is named, before it can be stopped. */
const MAX_WEIGHT = 10_000;

/**
 * Settings that have places of files. The folder of temporary files has a random name, and no statement may name it; a
 * search path has schemas.
 */
const TELLS_PLACES = /^(?!temp_|search_).*(?:path|director|output)/;

/** By this function the engine's own macros look at a relation whose name they get as an argument. */
const LOOKS_BY_NAME = 'query_table';
/** These bind the view whose name they get, and compute the arguments of table functions in it meanwhile. */
const BINDS_BY_NAME = ['pragma_table_info', 'pragma_show'];

/**
 * Names, and the definitions behind them. What a definition names is kept; a verdict is not, because one name may stand
 * for several definitions.
 */
class DefinitionGraph {
  readonly #definitions: Definitions;
  readonly #named = new Map<string, NamedInTree | undefined>();
  readonly #weights = new Map<string, number>();

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  knows(name: string): boolean {
    return isHarmlessFunction(name) || this.#definitions.builtIn.has(name) || this.#definitions.macros.has(name);
  }

  /** Whether the database has a macro of that name. */
  hasMacro(name: string): boolean {
    return (this.#definitions.macros.get(name) ?? []).some(({ internal }) => !internal);
  }

  async findRefused(connection: DuckDBConnection, statement: NamedInTree): Promise<Found | undefined> {
    const seen = new Set<string>();
    const open: Step[] = [{ named: statement, by: [], kind: 'statement' }];
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      const { named, by, kind } = step;
      if (named === undefined) return { by };
      const isAny =
        (kind === 'internal' && named.functions.has(LOOKS_BY_NAME)) ||
        BINDS_BY_NAME.some((name) => named.functions.has(name) || named.engineFunctions.has(name));
      const meant = isAny ? this.#withEverything(named) : named;
      const refused = [...meant.functions, ...meant.engineFunctions].find((name) => this.#isRefused(name, kind));
      if (refused !== undefined) return { name: refused, by };
      const setting = [...named.settings].find((each) => each === '' || TELLS_PLACES.test(each));
      if (setting !== undefined) return { setting, by };
      const fillsIn = this.#fillsIn(named);
      if (fillsIn !== undefined) return { fillsIn, by };
      for (const { key, query, what, ...next } of this.#behind(meant, seen)) {
        seen.add(key);
        open.push({ ...next, named: await this.#look(connection, query), by: [...by, what] });
      }
    }
    const weight = await this.#weight(connection, statement);
    return weight > MAX_WEIGHT ? { by: [], weight } : undefined;
  }

  /** How many definitions of the database stand in one another there. */
  async #weight(connection: DuckDBConnection, { times }: NamedInTree): Promise<number> {
    const { macros, views } = this.#definitions;
    let total = 1;
    for (const [name, count] of times) {
      if (!this.#weights.has(name)) {
        // One that names itself is recursive, and is bound once.
        this.#weights.set(name, 0);
        let own = 0;
        for (const { query, internal } of [...(macros.get(name) ?? []), ...(views.get(name) ?? [])]) {
          const named = internal ? undefined : await this.#look(connection, query);
          if (named !== undefined) own += await this.#weight(connection, named);
        }
        this.#weights.set(name, own);
      }
      total += count * (this.#weights.get(name) ?? 0);
    }
    return total;
  }

  #isOfEngine(name: string): boolean {
    const { builtIn, macros } = this.#definitions;
    return builtIn.has(name) || (macros.get(name) ?? []).some(({ internal }) => internal);
  }

  #isRefused(name: string, kind: Step['kind']): boolean {
    // The usual default of a key, which no read evaluates; in a generated column the read-only transaction refuses it.
    if (kind === 'generated' && name === 'nextval') return false;
    return this.#definitions.builtIn.has(name) && !isHarmlessFunction(name);
  }

  /**
   * The default of a parameter is in no catalog. CREATE MACRO takes constants alone, but in a file that was not written by
   * DuckDB any call may stand there.
   */
  #fillsIn({ leastArguments }: NamedInTree): string | undefined {
    for (const [name, count] of leastArguments)
      for (const { internal, parameters = 0 } of this.#definitions.macros.get(name) ?? [])
        if (!internal && parameters > count) return name;
    return undefined;
  }

  /** The argument may be the name of any relation, so everything that the database itself defines counts. */
  #withEverything({ functions, engineFunctions, relations }: NamedInTree): NamedInTree {
    const { macros, views, generated } = this.#definitions;
    const own = (map: ReadonlyMap<string, readonly Definition[]>): readonly string[] =>
      [...map].filter(([, definitions]) => definitions.some(({ internal }) => !internal)).map(([name]) => name);
    const called = [...functions].filter((name) => name !== LOOKS_BY_NAME);
    return {
      times: new Map(),
      leastArguments: new Map(),
      settings: new Set(),
      functions: new Set([...called, ...own(macros)]),
      engineFunctions,
      relations: new Set([...relations, ...own(views), ...generated.keys()]),
    };
  }

  /** The definitions behind names that were not seen yet. */
  *#behind({ functions, engineFunctions, relations }: NamedInTree, seen: ReadonlySet<string>) {
    const { macros, views, generated } = this.#definitions;
    // What the engine does not have is looked for elsewhere: `system.main` may be a column on which a macro is called.
    const others = [...engineFunctions].filter((name) => !this.#isOfEngine(name));
    for (const [prefix, names] of [
      ['function', [...functions, ...others]],
      ['engine function', engineFunctions],
    ] as const)
      for (const name of names)
        if (!seen.has(`${prefix} ${name}`))
          for (const { query, internal } of macros.get(name) ?? [])
            if (internal || prefix === 'function')
              yield { key: `${prefix} ${name}`, query, what: `the macro ${name}()`, kind: kindOf(internal) };
    for (const name of relations) {
      if (seen.has(`relation ${name}`)) continue;
      for (const { query, internal } of views.get(name) ?? [])
        yield { key: `relation ${name}`, query, what: `the view ${name}`, kind: kindOf(internal) };
      for (const query of generated.get(name) ?? [])
        yield { key: `relation ${name}`, query, what: `the table ${name}`, kind: 'generated' as const };
    }
  }

  async #look(connection: DuckDBConnection, query: string | undefined): Promise<NamedInTree | undefined> {
    if (query === undefined) return undefined;
    if (this.#named.has(query)) return this.#named.get(query);
    const tree = await queryTree(connection, query);
    const named = tree === undefined ? undefined : namedIn(tree);
    this.#named.set(query, named);
    return named;
  }
}

function kindOf(internal: boolean): 'internal' | 'own' {
  return internal ? 'internal' : 'own';
}

const TEMPORARY =
  'The statement names the folder of temporary files, in which rows of other statements may lie, so a call that reads does not run it. Query the tables themselves.';

function explain({ name, by, weight, fillsIn, setting }: Found): string {
  if (weight !== undefined)
    return `DuckDB would put ${weight.toLocaleString('en-US')} views and macros into one another for it, more than ${MAX_WEIGHT.toLocaleString('en-US')}, and nothing stops it meanwhile. Query the tables behind them.`;
  const way = by.length === 0 ? '' : ` It is called by ${by.toReversed().join(', which is called by ')}.`;
  if (setting !== undefined)
    return `${setting === '' ? 'A setting whose name is computed' : `The setting ${setting}`} may tell where files lie, so a call that reads does not get it.${way} Write the query without it.`;
  if (fillsIn !== undefined)
    return `The macro ${fillsIn}() has more parameters than it is given arguments, and DuckDB does not tell what it would fill in.${way} Give all its arguments.`;
  if (name === undefined)
    return `What ${by.at(-1)} does cannot be looked into, so a call that reads does not run it. Write the query without it.`;
  return `The function ${name}() is not on the list of functions that only read, so a call that reads does not run it.${way} ${adviceOn(name)}`;
}

function adviceOn(name: string): string {
  if (name === 'duckdb_databases') return 'It tells where files lie; `duckdb_schemas()` has the names of databases.';
  if (name === 'duckdb_settings') return "It tells where files lie; `current_setting('threads')` gives one setting.";
  if (name === 'nextval') return 'It counts a sequence up. Write the query without it.';
  if (/^(read_|parquet_|glob$|sniff_csv$)/.test(name))
    return 'To read a file, give it to the adapter as one of `files` and query the relation that is named after it.';
  if (/^(query|query_table|json_execute_serialized_sql)$/.test(name)) return 'Write that query out as the statement.';
  return 'Write the query without it.';
}
