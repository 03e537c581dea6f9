import { AskemaError } from '../errors/askema-error.ts';
import type { NameParts } from '../schema/schema-id.ts';
import type { Dialect } from './dialect.ts';
import type { IdentifierTraits } from './lexer-traits.ts';

/** The part of a dialect that quoting of names reads. */
type NameTraits = Pick<Dialect, 'identifiers'>;

interface CompiledTraits {
  readonly plain: RegExp;
  readonly reserved: ReadonlySet<string>;
}

/** Memo of what is derived from traits; traits are immutable data. */
const compiledTraits = new WeakMap<IdentifierTraits, CompiledTraits>();

/**
 * A name as SQL, quoted whatever it is. With `escape: 'backslash'` control characters become escapes (BigQuery:
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#quoted_identifiers).
 *
 * @throws AskemaError `INPUT_INVALID` for a name with a NUL character, which no engine takes in SQL text.
 */
export function quoteIdentifier(name: string, dialect: NameTraits): string {
  refuseNul(name, 'name');
  const traits = dialect.identifiers;
  const [open, close] = traits.quote;
  const escaped = traits.escape === 'double' ? name.replaceAll(close, close + close) : escapeWithBackslash(name, close);
  return open + escaped + close;
}

/**
 * A name as SQL, quoted only where the dialect needs it: reserved words, odd characters, letters that folding would
 * change.
 */
export function quoteIfNeeded(name: string, dialect: NameTraits): string {
  const traits = dialect.identifiers;
  const { plain, reserved } = compile(traits);
  const survivesFolding =
    traits.unquotedFolding === 'none' ||
    name === (traits.unquotedFolding === 'upper' ? name.toUpperCase() : name.toLowerCase());
  const needsNone = survivesFolding && plain.test(name) && !reserved.has(name.toUpperCase());
  return needsNone ? name : quoteIdentifier(name, dialect);
}

/**
 * The name of a relation as SQL, with those of its parts in front that the dialect writes (`identifiers.qualifiers`).
 * Generated statements that nobody reads ask for `always`.
 */
export function qualifiedName(
  nameParts: NameParts,
  dialect: NameTraits,
  quoting: 'if needed' | 'always' = 'if needed',
): string {
  const write = quoting === 'always' ? quoteIdentifier : quoteIfNeeded;
  const parts: string[] = [];
  for (const qualifier of dialect.identifiers.qualifiers) {
    const part = nameParts[qualifier];
    if (part !== undefined) parts.push(write(part, dialect));
  }
  parts.push(write(nameParts.relation, dialect));
  return parts.join('.');
}

/**
 * A text as a string literal in single quotes.
 *
 * @throws AskemaError `INPUT_INVALID` for a text with a NUL character.
 */
export function quoteString(text: string, dialect: Pick<Dialect, 'lexer'>): string {
  refuseNul(text, 'text');
  return dialect.lexer.backslashEscapes ? `'${escapeWithBackslash(text, "'")}'` : `'${text.replaceAll("'", "''")}'`;
}

function compile(traits: IdentifierTraits): CompiledTraits {
  let compiled = compiledTraits.get(traits);
  if (compiled === undefined) {
    compiled = { plain: new RegExp(`^(?:${traits.plainPattern})$`), reserved: new Set(traits.reservedWords) };
    compiledTraits.set(traits, compiled);
  }
  return compiled;
}

function escapeWithBackslash(text: string, close: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll(close, `\\${close}`).replaceAll('\n', '\\n').replaceAll('\r', '\\r');
}

function refuseNul(text: string, what: string): void {
  if (!text.includes('\0')) return;
  throw new AskemaError(
    'INPUT_INVALID',
    `The ${what} ${JSON.stringify(text)} contains a NUL character, which SQL text cannot carry; remove it or bind the value as a parameter.`,
  );
}
