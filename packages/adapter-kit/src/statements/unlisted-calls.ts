import type { Dialect } from '@askema/core';
import { type CallInText, callsIn } from '@askema/sql';

/** What the functions of an engine are compared with. */
export interface FunctionList {
  readonly dialect: Dialect;
  /** Functions that may be called whatever they do, as `schema.name`. */
  readonly allowFunctions: readonly string[];
  /** In front of any function of the engine, and changing nothing of what it does: `SAFE.` of BigQuery. */
  readonly prefix?: string | undefined;
  /** A quoted name may hold a whole path: `` `project.dataset.name` ``. */
  readonly hasQuotedPaths?: boolean | undefined;
}

/** A call that is on no list. */
export interface UnlistedCall extends CallInText {
  /** As the text names it, with its path. */
  readonly fullName: string;
}

/**
 * The functions that a text calls and that are neither on the list of the dialect (`harmlessFunctions`), nor allowed: for
 * engines in which no function of a user can stand in front of one of the engine's own.
 */
export function unlistedCalls(
  sql: string,
  { dialect, allowFunctions, prefix, hasQuotedPaths }: FunctionList,
): readonly UnlistedCall[] {
  const { lexer, identifiers } = dialect;
  const harmless = new Set(lexer.statements?.harmlessFunctions);
  const allowed = new Set(allowFunctions.map(upper));
  // Where names are folded, `"upper"` is another function than UPPER.
  const compared = identifiers.unquotedFolding === 'upper' ? (name: string) => name : upper;
  return callsIn(sql, dialect).flatMap((call) => {
    if (call.namesColumns || call.isClause || isStage(sql, call.start)) return [];
    const names = [...call.path, call.name];
    const parts = hasQuotedPaths === true ? names.flatMap((name) => name.split('.')) : names;
    const own = prefix !== undefined && parts.length > 1 && upper(parts[0] ?? '') === prefix ? parts.slice(1) : parts;
    // A dot within a name is none between two, and letters beyond ASCII are those of no function of the engine.
    const isPlain =
      own.every((part) => /^[\w$]+$/.test(part)) && /^[\x20-\x7e]*$/.test(sql.slice(call.start, call.end));
    const keys = [own, own.length === 3 ? own.slice(1) : own].map((key) => key.join('.'));
    const isListed = isPlain && keys.some((key) => harmless.has(compared(key)));
    return isListed || isAllowed(own.map(upper), allowed) ? [] : [{ ...call, fullName: parts.join('.') }];
  });
}

function isAllowed(parts: readonly string[], allowed: ReadonlySet<string>): boolean {
  const name = parts.at(-1);
  if (parts.length > 1) return allowed.has(parts.slice(-2).join('.'));
  return [...allowed].some((one) => one.slice(one.indexOf('.') + 1) === name);
}

/** Upper case for ASCII alone: `ſ` is no S. */
function upper(name: string): string {
  return name.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** Whether a name ends the path of a stage, `@stage/file (FILE_FORMAT => …)`. */
function isStage(sql: string, start: number): boolean {
  return /@[\w$./~%-]*$/.test(sql.slice(Math.max(0, start - 1_000), start));
}
