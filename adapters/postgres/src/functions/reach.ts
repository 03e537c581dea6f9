import { postgresDialect } from '@askema/dialects';
import { nameOfToken, readOnlyText, significantTokens, splitStatements } from '@askema/sql';
import type { AnswerRow } from './ask-server.ts';
import { hasConstantCall } from './constant-call.ts';
import { findSuspect } from './find-suspect.ts';
import { nameKey, type Suspect, type Suspects } from './suspects.ts';

/** A function that may do more than read. */
export interface Candidate {
  readonly id: string;
  readonly schema: string;
  readonly name: string;
  readonly isField: boolean;
  readonly isSql: boolean;
  /** Of a function in SQL: what it is made of decides. */
  readonly body: string | undefined;
  /** Why it is refused by itself. */
  readonly refusal: string | undefined;
  /** '' for one of the engine, undefined for one of a user. */
  readonly extension: string | undefined;
  readonly isVolatile: boolean;
  /** Whether this role may call it. */
  readonly isCallable: boolean;
  /** Whose rights it runs with, where these are its owner's. */
  readonly definer: string | undefined;
  /** As SQL names it: `app.area(integer)`. */
  readonly signature: string;
}

/** What an object is, as the server says. */
interface Thing {
  readonly catalog: string;
  /** `view public.v` */
  readonly title: string;
  readonly schema: string;
  readonly name: string;
  readonly relkind: string;
}

/** How an object was reached from a refused function. */
interface Reached {
  readonly through?: string | undefined;
  /** At the end of the way. */
  readonly refusal?: string | undefined;
}

/** Objects by their catalog and id; those of functions: */
const PROC = 'pg_proc';

/** What is left out when a way is told: the parts of what is named beside them. */
const PARTS = /^(?:rule|index|table constraint|domain constraint|default value) |\[\]$/;
/** Further ones between the first and the last are counted. */
const MAX_BETWEEN = 5;

/** Follows uses backwards, from the functions that are refused to everything that leads to them. */
export class Reach {
  readonly #candidates: ReadonlyMap<string, Candidate>;
  readonly #things = new Map<string, Thing>();
  readonly #users = new Map<string, string[]>();
  readonly #reached = new Map<string, Reached>();
  readonly #functions = new Map<string, Suspect[]>();
  readonly #others = new Map<string, Suspect[]>();
  readonly #operators: Suspect[] = [];
  readonly #everywhere: Suspect[] = [];
  /** What was reached, in that order, with the kind of its name. */
  readonly #found: { readonly name: string; readonly suspects: Suspects }[] = [];

  constructor(candidates: readonly Candidate[], uses: readonly AnswerRow[]) {
    this.#candidates = new Map(candidates.map((candidate) => [`${PROC} ${candidate.id}`, candidate]));
    const programs: string[] = [];
    const closed: string[] = [];
    for (const row of uses) {
      const [id, catalog = '', usedId, usedCatalog, title = '', schema, name, relkind, expression] =
        row as readonly string[];
      const user = `${catalog} ${id}`;
      const kind = this.#things.get(user)?.relkind === '*' ? '*' : (relkind ?? '');
      this.#things.set(user, { catalog, title, schema: schema ?? '', name: name ?? '', relkind: kind });
      const used = `${usedCatalog} ${usedId}`;
      const isComputed = typeof expression !== 'string' || this.#candidates.get(used)?.isSql === true;
      if (used === `pg_foreign_table ${id}`) programs.push(user);
      else if (used === user && catalog === 'pg_class') closed.push(user);
      else if (isComputed || hasConstantCall(expression, usedId ?? '')) push(this.#users, used, user);
    }
    for (const [key, { refusal }] of this.#candidates) if (refusal !== undefined) this.#reach(key, { refusal });
    for (const key of closed) {
      const { schema = '', name = '' } = this.#things.get(key) ?? {};
      this.#reach(key, { refusal: `${schema}.${name} may show passwords, or files of the server.` });
    }
    for (const key of programs) this.#reach(key, { refusal: 'Reading that table runs a program on the server.' });
  }

  /** Other work of the process goes on meanwhile, the clocks of calls that wait for it among it. */
  async suspects(): Promise<Suspects> {
    const pause = createPause();
    // What a function in SQL says is judged as a statement is; it may call others that are judged so.
    const naming = new Map<string, string[]>();
    for (const [key, { body }] of this.#candidates) {
      if (body === undefined) continue;
      await pause();
      const refusal = refusalOfText(body);
      if (refusal !== undefined) this.#reachBody(key, refusal);
      else for (const name of namesIn(body)) push(naming, name, key);
    }
    const all = [...this.#candidates.keys()];
    // More are found, and stand behind, while they are gone through.
    for (const { name, suspects } of this.#found) {
      for (const key of suspects.operators.length > 0 ? all : (naming.get(name) ?? [])) {
        const { body } = this.#candidates.get(key) ?? {};
        if (body === undefined || this.#reached.has(key)) continue;
        await pause();
        const found = findSuspect(body, suspects, undefined);
        if (found !== undefined) this.#reachBody(key, found.suspect.reason);
      }
    }
    return {
      functions: this.#functions,
      others: this.#others,
      operators: this.#operators,
      everywhere: this.#everywhere,
    };
  }

  /** Of functions that call each other, the outermost and the innermost are told. */
  #reachBody(key: string, reason: string): void {
    const innermost = reason.replace(/^In function .*\(\): (?=In function )/s, '');
    this.#reach(key, { refusal: `In ${this.#titleOf(key)}: ${innermost}` });
  }

  #reach(start: string, how: Reached): void {
    const open: (readonly [string, Reached])[] = [[start, how]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [key, reached] = next;
      if (this.#reached.has(key)) continue;
      // A function that is allowed, or the engine's own, is no candidate: what uses it is its owner's concern.
      if (key.startsWith(`${PROC} `) && !this.#candidates.has(key)) continue;
      this.#reached.set(key, reached);
      this.#keep(key);
      for (const user of this.#users.get(key) ?? []) open.push([user, { through: key }]);
    }
  }

  #keep(key: string): void {
    const thing = this.#things.get(key);
    const candidate = this.#candidates.get(key);
    const { schema, name } = candidate ?? thing ?? { schema: '', name: '' };
    const explain = (): string => this.#explain(key);
    const suspect = {
      schema,
      name,
      isField: candidate?.isField === true,
      get reason() {
        return explain();
      },
    };
    if (candidate !== undefined) this.#add('functions', suspect);
    // Words of the grammar call functions of pg_catalog by names of their own: TRIM is `btrim`, AT TIME ZONE `timezone`.
    if (candidate !== undefined && schema === 'pg_catalog' && candidate.extension === undefined)
      this.#everywhere.push(suspect);
    if (schema === 'pg_catalog' && name === 'xpath')
      this.#add('functions', { schema, name: 'xmltable', isField: false, reason: suspect.reason });
    if (candidate !== undefined) return;
    if (thing?.relkind === '*') this.#everywhere.push(suspect);
    else if (thing?.catalog === 'pg_operator') this.#add('operators', suspect);
    else if (thing?.catalog === 'pg_type' || /^[rpvfmt]$/.test(thing?.relkind ?? '')) this.#add('others', suspect);
  }

  #add(kind: 'functions' | 'others' | 'operators', suspect: Suspect): void {
    const name = nameKey(suspect.name);
    const none = new Map<string, Suspect[]>();
    const own = new Map([[name, [suspect]]]);
    if (kind === 'operators') this.#operators.push(suspect);
    else push(kind === 'functions' ? this.#functions : this.#others, name, suspect);
    this.#found.push({
      name,
      suspects: {
        functions: kind === 'functions' ? own : none,
        others: kind === 'others' ? own : none,
        operators: kind === 'operators' ? [suspect] : [],
        everywhere: [],
      },
    });
  }

  #explain(key: string): string {
    const way: string[] = [];
    let at = key;
    let reached = this.#reached.get(key);
    for (; reached?.through !== undefined; reached = this.#reached.get(at)) {
      const title = this.#titleOf(at);
      if (at === key || !PARTS.test(title)) way.push(title);
      at = reached.through;
    }
    const [first, ...between] = way;
    const last = this.#titleOf(at);
    const start = first === undefined ? '' : `The ${first} leads to the ${last}`;
    const more = between.length > MAX_BETWEEN ? ` and ${between.length - MAX_BETWEEN} more` : '';
    const through =
      between.length === 0 ? '' : `, through the ${between.slice(0, MAX_BETWEEN).join(' and the ')}${more}`;
    return [`${start}${through}`, reached?.refusal].filter((part) => part).join('. ');
  }

  #titleOf(key: string): string {
    const candidate = this.#candidates.get(key);
    return candidate === undefined
      ? (this.#things.get(key)?.title ?? key)
      : `function ${candidate.schema}.${candidate.name}()`;
  }
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const found = map.get(key);
  if (found === undefined) map.set(key, [value]);
  else found.push(value);
}

/** Why statements are refused by their text. */
function refusalOfText(body: string): string | undefined {
  for (const { start, end } of splitStatements(body, postgresDialect.lexer)) {
    const verdict = readOnlyText(body.slice(start, end), postgresDialect.lexer);
    if (!verdict.ok) return verdict.reason;
  }
  return undefined;
}

function namesIn(body: string): ReadonlySet<string> {
  const names = significantTokens(body, postgresDialect.lexer).map((token) =>
    nameOfToken(token, postgresDialect.lexer),
  );
  return new Set(names.flatMap((name) => (name === undefined ? [] : [nameKey(name)])));
}

const PAUSE_EVERY_MS = 10;

/** Lets others work, now and then. */
function createPause(): () => Promise<void> | undefined {
  let last = performance.now();
  return () => {
    if (performance.now() - last < PAUSE_EVERY_MS) return undefined;
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      last = performance.now();
    });
  };
}
