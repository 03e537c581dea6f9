import { postgresDialect } from '@askema/dialects';
import { readOnlyText, splitStatements } from '@askema/sql';
import type { AnswerRow, AskServer } from './ask-server.ts';

import { hasConstantCall } from './constant-call.ts';
import { findSuspect } from './find-suspect.ts';
import { CLOSED_RELATIONS, functionsQuery, usesQuery } from './function-queries.ts';
import { actingNames, isHarmless } from './harmless-functions.ts';
import { STABLE_FUNCTIONS } from './stable-functions.ts';
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

/** Ids below this one are the engine's own. */
const FIRST_OWN = 16_384;

/** What is left out when a way is told: the parts of what is named beside them. */
const PARTS = /^(?:rule|index|table constraint|domain constraint|default value) |\[\]$/;

/**
 * Asks the server for the functions that may do more than read, and for everything that leads to them: views, policies,
 * operators, casts, domains, aggregates, virtual columns, indexes and checks that the planner computes, foreign tables;
 * and for relations of the engine that are not to be read, with the views of users over them.
 *
 * @param allowed functions that may be called whatever they do, as `schema.name`.
 */
export async function readSuspects(session: AskServer, allowed: ReadonlySet<string>): Promise<Suspects> {
  // Compiling these queries would take longer than running them.
  const set = (jit: string): string => `SELECT pg_catalog.set_config('jit', ${jit}, true)`;
  const { settings, functions, closed } = await session.batch({
    settings: `SELECT pg_catalog.quote_literal(pg_catalog.current_setting('jit'))`,
    quiet: set(`'off'`),
    functions: CANDIDATES,
    closed: CLOSED_RELATIONS,
  });
  const candidates = readCandidates(functions, allowed);
  const own = candidates.filter(({ id }) => Number(id) >= FIRST_OWN).map(({ id }) => id);
  const engine = candidates.filter(({ id }) => Number(id) < FIRST_OWN).map(({ id }) => id);
  const [[jit] = []] = settings;
  const { uses } = await session.batch({
    uses: usesQuery(
      own,
      engine,
      closed.map(([id]) => id ?? ''),
    ),
    restored: set(jit ?? `'on'`),
  });
  return new Reach(candidates, uses).suspects();
}

/** Asks for the functions that may do more than read; see {@link readCandidates}. */
export const CANDIDATES = functionsQuery(actingNames, STABLE_FUNCTIONS);

/** @param allowed as `schema.name`; they are left out. */
export function readCandidates(rows: readonly AnswerRow[], allowed: ReadonlySet<string>): readonly Candidate[] {
  return rows.flatMap((row) => readCandidate(row as readonly string[], allowed));
}

function readCandidate(row: readonly (string | null)[], allowed: ReadonlySet<string>): Candidate[] {
  const [id, schema, name, kind, language, isEngine, extension, isVolatile, isField, body, ...others] =
    row as readonly string[];
  if (id === undefined || schema === undefined || name === undefined) return [];
  const [asDefiner, signature = '', owner, isCallable, settings] = others;
  const fullName = `${schema}.${name}`;
  const ofUser = isEngine !== 't' && extension === null;
  if (allowed.has(fullName) || (!ofUser && isHarmless(extension ?? '', name, isVolatile === 't'))) return [];
  // SET of a role would leave the one of a scope, SET of a deadline its own.
  const sets = ofUser && typeof settings === 'string';
  const isOpen = ofUser && !sets && (kind === 'a' || language === 'sql');
  const candidate = {
    ...{ id, schema, name, signature, isField: isField === 't', isSql: language === 'sql' },
    extension: ofUser ? undefined : (extension ?? ''),
    isVolatile: isVolatile === 't',
    isCallable: isCallable === 't',
    definer: asDefiner === 't' ? owner : undefined,
  };
  if (isOpen) return [{ ...candidate, body: body === null || body === '' ? undefined : body, refusal: undefined }];
  const origin = extension === null ? '' : ` of the extension ${extension}`;
  const called = `the function ${name}${origin}`;
  const ofServer = isVolatile === 't' ? `PostgreSQL calls ${called} volatile, and it` : `T${called.slice(1)}`;
  const refusal = ofUser
    ? `${sets ? `${fullName} has settings of its own (SET), which could lift the role or the limits of a call` : `What ${fullName} does cannot be seen, because it is written in ${language}`}. If it only reads, allow it: \`allowFunctions: ['${fullName}']\`, or --allow-function ${fullName}.`
    : `${ofServer} is not known to only read.`;
  return [{ ...candidate, body: undefined, refusal }];
}

/** Follows uses backwards, from the functions that are refused to everything that leads to them. */
class Reach {
  readonly #candidates: ReadonlyMap<string, Candidate>;
  readonly #things = new Map<string, Thing>();
  readonly #users = new Map<string, string[]>();
  readonly #reached = new Map<string, Reached>();

  constructor(candidates: readonly Candidate[], uses: readonly AnswerRow[]) {
    this.#candidates = new Map(candidates.map((candidate) => [`${PROC} ${candidate.id}`, candidate]));
    const programs: string[] = [];
    const closed: string[] = [];
    for (const row of uses) {
      const [id, catalog = '', usedId, usedCatalog, title = '', schema, name, relkind, expression] =
        row as readonly string[];
      const user = `${catalog} ${id}`;
      this.#things.set(user, { catalog, title, schema: schema ?? '', name: name ?? '', relkind: relkind ?? '' });
      const used = `${usedCatalog} ${usedId}`;
      const isComputed = typeof expression !== 'string' || this.#candidates.get(used)?.isSql === true;
      if (used === `pg_foreign_table ${id}`) programs.push(user);
      else if (used === user && catalog === 'pg_class') closed.push(user);
      else if (isComputed || hasConstantCall(expression, usedId ?? '')) {
        const users = this.#users.get(used);
        if (users === undefined) this.#users.set(used, [user]);
        else users.push(user);
      }
    }
    for (const [key, { refusal }] of this.#candidates) if (refusal !== undefined) this.#reach(key, { refusal });
    for (const key of closed) {
      const { schema = '', name = '' } = this.#things.get(key) ?? {};
      this.#reach(key, { refusal: `${schema}.${name} may show passwords, or files of the server.` });
    }
    for (const key of programs) this.#reach(key, { refusal: 'Reading that table runs a program on the server.' });
  }

  suspects(): Suspects {
    let suspects = this.#named();
    // What a function in SQL says is judged as a statement is; it may call others that are judged so.
    for (let before = -1; before < this.#reached.size; suspects = this.#named()) {
      before = this.#reached.size;
      for (const [key, { body }] of this.#candidates) {
        if (body === undefined || this.#reached.has(key)) continue;
        const refusal = refusalOfBody(body, suspects);
        if (refusal !== undefined) this.#reach(key, { refusal: `In ${this.#titleOf(key)}: ${refusal}` });
      }
    }
    return suspects;
  }

  #reach(start: string, how: Reached): void {
    const open: (readonly [string, Reached])[] = [[start, how]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [key, reached] = next;
      if (this.#reached.has(key)) continue;
      // A function that is allowed, or the engine's own, is no candidate: what uses it is its owner's concern.
      if (key.startsWith(`${PROC} `) && !this.#candidates.has(key)) continue;
      this.#reached.set(key, reached);
      for (const user of this.#users.get(key) ?? []) open.push([user, { through: key }]);
    }
  }

  #named(): Suspects {
    const functions = new Map<string, Suspect[]>();
    const others = new Map<string, Suspect[]>();
    const operators: Suspect[] = [];
    for (const key of this.#reached.keys()) {
      const thing = this.#things.get(key);
      const candidate = this.#candidates.get(key);
      const { schema, name } = candidate ?? thing ?? { schema: '', name: '' };
      const suspect = { schema, name, isField: candidate?.isField === true, reason: this.#explain(key) };
      if (candidate !== undefined) add(functions, suspect);
      if (schema === 'pg_catalog' && name === 'xpath') add(functions, { ...suspect, name: 'xmltable' });
      if (candidate !== undefined) continue;
      if (thing?.catalog === 'pg_operator') operators.push(suspect);
      else if (thing?.catalog === 'pg_type' || /^[rpvf]$/.test(thing?.relkind ?? '')) add(others, suspect);
    }
    return { functions, others, operators };
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
    const through = between.length === 0 ? '' : `, through the ${between.join(' and the ')}`;
    return [`${start}${through}`, reached?.refusal].filter((part) => part).join('. ');
  }

  #titleOf(key: string): string {
    const candidate = this.#candidates.get(key);
    return candidate === undefined
      ? (this.#things.get(key)?.title ?? key)
      : `function ${candidate.schema}.${candidate.name}()`;
  }
}

function add(map: Map<string, Suspect[]>, suspect: Suspect): void {
  const key = nameKey(suspect.name);
  const found = map.get(key);
  if (found === undefined) map.set(key, [suspect]);
  else found.push(suspect);
}

/** Names in a body may be found in any schema. */
function refusalOfBody(body: string, suspects: Suspects): string | undefined {
  for (const { start, end } of splitStatements(body, postgresDialect.lexer)) {
    const verdict = readOnlyText(body.slice(start, end), postgresDialect.lexer);
    if (!verdict.ok) return verdict.reason;
  }
  return findSuspect(body, suspects, undefined)?.suspect.reason;
}
