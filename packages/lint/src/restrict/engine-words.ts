import {
  AskemaError,
  type Dialect,
  didYouMean,
  type ErrorClass,
  type ErrorCode,
  type ErrorDetails,
  foldName,
  type PlanVerdict,
  toAskemaError,
} from '@askema/core';
import { nameOfToken, significantTokens } from '@askema/sql';
import type { Restriction } from './restriction.ts';

/** Where an error of an adapter came up. */
interface Origin {
  readonly dialect: Dialect;
  readonly sql?: string | undefined;
  /** Undefined while the catalog is read. */
  readonly restriction?: Restriction | undefined;
}

/** Their messages are written here, of calls and options, and have no words of an engine. */
const OWN_WORDS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'ABORTED',
  'CAPABILITY_UNSUPPORTED',
  'CONFIG_INVALID',
  'CONTRACT_MISMATCH',
  'DATABASE_CLOSED',
  'DEPENDENCY_MISSING',
  'QUERY_TIMEOUT',
]);

/** Theirs say where a connection was to lead, which nothing hides; a database that answers may name what it has. */
const OF_THE_WAY: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'DATABASE_LOCKED',
  'DATABASE_NOT_FOUND',
  'DATABASE_UNAVAILABLE',
]);

/**
 * The error that may be told of one of an adapter. Engines quote what they read: whole lines of a file, the value that
 * does not convert, the key that is there twice, names that are near. So their words are left out, whatever they are:
 * what depended on the words would tell whether one of them is hidden. Code, class and place stay.
 */
export function withoutEngineWords(thrown: unknown, { dialect, sql, restriction }: Origin): AskemaError {
  const { code, message, details, retryable } = toAskemaError(thrown);
  const { errorClass, vendorCode, position } = details;
  if (OWN_WORDS.has(code) || (OF_THE_WAY.has(code) && restriction === undefined))
    return new AskemaError(code, message, { details: { sql, errorClass, vendorCode, position }, retryable });
  return new AskemaError(code, tell(code, { dialect, sql, restriction }, details), {
    details: { sql, errorClass, vendorCode, position },
    retryable,
  });
}

/** What a planner finds wrong, as it may be told. */
export function verdictWithoutEngineWords(
  error: NonNullable<PlanVerdict['error']>,
  origin: Origin,
): NonNullable<PlanVerdict['error']> {
  const { code, message, details } = withoutEngineWords(planError(error), origin);
  return { message, details: { ...details, code } };
}

/** The error that a planner met, with the code that it had. */
export function planError({ message, details = {} }: NonNullable<PlanVerdict['error']>): AskemaError {
  const { code = 'QUERY_FAILED', ...rest } = details;
  return new AskemaError(code as ErrorCode, message, { details: rest });
}

const NOT_SAID = 'What the engine says of it may hold what is kept back (`hide`, `mask`), and is not shown';

const MEANT: Readonly<Record<ErrorClass, string>> = {
  identifier: 'a name in it is not known or not clear',
  syntax: 'the engine does not take it as it is written, or a subquery gives more than one row where one may stand',
  function: 'a function in it is not known, takes other arguments, or may not stand there',
  type: 'a value in it does not fit what is done with it, such as a text that is no number, or a division by zero',
  constraint: 'it breaks a constraint',
  permission: 'something in it is not permitted',
  timeout: 'it took too long',
  empty: 'there is no statement in it',
  other: 'the engine failed at it',
};

function tell(code: ErrorCode, { dialect, sql, restriction }: Origin, { errorClass, position }: ErrorDetails): string {
  const { displayName } = dialect;
  if (code === 'QUERY_REFUSED') return `The adapter of ${displayName} refuses the statement. ${NOT_SAID}.`;
  if (code === 'QUERY_NOT_READ_ONLY')
    return `The adapter of ${displayName} reads only, and does not take the statement for one that only reads. ${NOT_SAID}.`;
  if (code === 'CALLER_REFUSED')
    return `The role of the caller cannot be taken on in ${displayName}: it is not there, or not granted to the user of the connection. ${NOT_SAID}.`;
  if (code === 'DATABASE_LOCKED') return `${displayName} waited for another connection. Try again. ${NOT_SAID}.`;
  if (code === 'DATABASE_NOT_FOUND') return `${displayName} no longer finds the database. ${NOT_SAID}.`;
  if (code === 'DATABASE_UNAVAILABLE') return `${displayName} is not to be reached, or has ended. ${NOT_SAID}.`;
  if (code === 'DATABASE_INVALID' || code === 'DATABASE_CORRUPT')
    return `${displayName} cannot read the database or one of its files. ${NOT_SAID}; whoever may see all asks without them.`;
  if (code !== 'QUERY_FAILED' || sql === undefined) return `${displayName} failed at what was asked. ${NOT_SAID}.`;
  const place = position === undefined ? '' : ` (line ${position.line}, column ${position.column})`;
  const hint = errorClass === 'identifier' ? near(sql, position?.offset, dialect, restriction) : '';
  return `${displayName} did not run the statement: ${MEANT[errorClass ?? 'other']}${place}. ${hint}${NOT_SAID}.`;
}

/** Names of what is shown that are near to the one at the place of the error. */
function near(
  sql: string,
  offset: number | undefined,
  { lexer }: Dialect,
  restriction: Restriction | undefined,
): string {
  const token = significantTokens(sql, lexer).find(({ start }) => start === offset);
  const name = token === undefined ? undefined : nameOfToken(token, lexer);
  const hint = name === undefined || restriction === undefined ? '' : nearShown(name, restriction);
  return hint === '' ? '' : `${hint} `;
}

/** "Did you mean" of the relations and columns that are shown, or an empty text. */
export function nearShown(name: string, { catalog }: Restriction): string {
  const relations = Object.values(catalog.relations).map(({ nameParts }) => nameParts.relation);
  const shown = [...relations, ...catalog.schema.attributes.map((attribute) => attribute.name)];
  // One that is there, and not meant where it stands, is no other name.
  const meant = foldName(name, 'insensitive');
  return didYouMean(
    name,
    shown.filter((each) => foldName(each, 'insensitive') !== meant),
  );
}
