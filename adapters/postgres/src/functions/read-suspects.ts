import type { AnswerRow, AskServer } from './ask-server.ts';

import { CLOSED_RELATIONS, functionsQuery, SETTING_FUNCTIONS, usesQuery } from './function-queries.ts';
import { actingNames, isHarmless } from './harmless-functions.ts';
import { type Candidate, Reach } from './reach.ts';
import { STABLE_FUNCTIONS } from './stable-functions.ts';
import type { Suspects } from './suspects.ts';

/** Ids below this one are the engine's own. */
const FIRST_OWN = 16_384;

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
  const [asDefiner, signature = '', owner, isCallable, settings, isLong] = others;
  const fullName = `${schema}.${name}`;
  const ofUser = isEngine !== 't' && extension === null;
  // Given only where a password may be among what they show.
  const showsSettings = isEngine === 't' && SETTING_FUNCTIONS.includes(name);
  const isKnown = !ofUser && !showsSettings && isHarmless(extension ?? '', name, isVolatile === 't');
  // What the text of a function names, the server looks up when it runs: a function of a user may be nearer.
  if (allowed.has(fullName) || (isKnown && (isEngine === 't' || language !== 'sql'))) return [];
  // SET of a role would leave the one of a scope, SET of a deadline its own.
  const sets = ofUser && typeof settings === 'string';
  const isOpen = isKnown || (ofUser && !sets && isLong !== 't' && (kind === 'a' || language === 'sql'));
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
  const does = showsSettings ? 'may show passwords that this role sees.' : 'is not known to only read.';
  const refusal = ofUser
    ? `${sets ? `${fullName} has settings of its own (SET), which could lift the role or the limits of a call` : `What ${fullName} does cannot be seen, because ${isLong === 't' ? 'its text is too long to be taken apart' : `it is written in ${language}`}`}. If it only reads, allow it: \`allowFunctions: ['${fullName}']\`, or --allow-function ${fullName}.`
    : `${ofServer} ${does}`;
  return [{ ...candidate, body: undefined, refusal }];
}
