import type { Dialect, ErrorRule } from '../dialect/dialect.ts';
import type { ErrorClass } from '../errors/error-code.ts';

/** A vendor's error, as its driver reports it. */
export interface VendorError {
  readonly vendorCode?: string | undefined;
  readonly message: string;
}

/** What a vendor's error is about. */
export interface ClassifiedError {
  readonly errorClass: ErrorClass;
  /** The offending name as the message writes it, without quotes around it. */
  readonly name?: string | undefined;
}

/** Memo of compiled patterns; rules are immutable data. */
const compiledPatterns = new WeakMap<ErrorRule, RegExp>();

/** Messages carry values of the database; only the beginning is searched. */
const SEARCHED_CHARACTERS = 2_000;

/**
 * The class of a vendor's error, by the first rule of the dialect that matches: each of `vendorCode` and `pattern` that
 * the rule has must match. Without one it is `other`.
 */
export function classifyError(dialect: Pick<Dialect, 'errors'>, error: VendorError): ClassifiedError {
  const message = error.message.slice(0, SEARCHED_CHARACTERS);
  for (const rule of dialect.errors) {
    if (rule.vendorCode !== undefined && rule.vendorCode !== error.vendorCode) continue;
    if (rule.pattern === undefined) {
      if (rule.vendorCode !== undefined) return { errorClass: rule.errorClass };
      continue;
    }
    const match = compile(rule, rule.pattern).exec(message);
    if (match === null) continue;
    const name = match.groups?.name;
    return name === undefined || name === ''
      ? { errorClass: rule.errorClass }
      : { errorClass: rule.errorClass, name: withoutQuotes(name) };
  }
  return { errorClass: 'other' };
}

function compile(rule: ErrorRule, pattern: string): RegExp {
  let compiled = compiledPatterns.get(rule);
  if (compiled === undefined) {
    compiled = new RegExp(pattern, 'i');
    compiledPatterns.set(rule, compiled);
  }
  return compiled;
}

function withoutQuotes(name: string): string {
  const quoted = /^(?:"(.+)"|'(.+)'|`(.+)`|\[(.+)\])$/s.exec(name.trim());
  return quoted?.slice(1).find((inner) => inner !== undefined) ?? name.trim();
}
