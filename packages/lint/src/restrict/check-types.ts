import { type Dialect, foldName } from '@askema/core';
import { isSymbol, isWord, nameOfToken, type SqlToken } from '@askema/sql';

/**
 * Types that engines bring. A type of a user tells its labels and fields, may compute a check over what is hidden, and may
 * be the row of a relation; `regclass` and its like tell names.
 */
const TYPES: ReadonlySet<string> = new Set(
  `bigdecimal bigint bignumeric binary bit bool boolean bpchar byteint bytea bytes char character cidr clob date datetime
   datetime64 dec decimal double float float4 float8 float64 hugeint inet int int1 int2 int4 int8 int16 int32 int64 int128 integer
   interval json jsonb long longtext macaddr mediumint mediumtext money national nchar number numeric nvarchar real short signed
   smallint string text time timestamp timestamp_ltz timestamp_ms timestamp_ns timestamp_ntz timestamp_s timestamp_tz timestamptz
   timetz tinyint tinytext ubigint uhugeint uint uint8 uint16 uint32 uint64 uinteger unsigned usmallint utinyint uuid varbinary
   varbit varchar varchar2 variant year`.split(/\s+/),
);

/** Those of a dialect; of all engines where its users have no types. */
export function ownTypesOf({ own }: Pick<Dialect['types'], 'own'>): ReadonlySet<string> {
  return own === undefined ? TYPES : new Set(own);
}

/** Words that stand in front of a text, beside the reserved ones of a dialect, and are no types. */
const BEFORE_TEXT: ReadonlySet<string> = new Set(
  `all and any as between by case collate div else escape format from glob having ilike in interval is like limit match mod not of
   offset on or regexp returning rlike select separator similar some then to uescape when where xor zone`.split(/\s+/),
);

/** The name of a type in a statement that no engine brings, as it stands there; undefined where there is none. */
export function foreignType(tokens: readonly SqlToken[], { lexer, identifiers, types }: Dialect): string | undefined {
  const reserved = new Set(identifiers.reservedWords.map((word) => word.toLowerCase()));
  const own = ownTypesOf(types);
  const isOwn = (folded: string, at: number): boolean =>
    own.has(folded) || (folded === 'double' && isWord(tokens[at + 1], 'PRECISION'));
  /** The type that starts there, unless the engine brings it: with the schema in front of it, it may be any. */
  const foreignAt = (at: number): string | undefined => {
    const token = tokens[at];
    const name = token === undefined ? undefined : nameOfToken(token, lexer);
    if (token === undefined || name === undefined) return undefined;
    return isOwn(foldName(name, 'insensitive'), at) && !isSymbol(tokens[at + 1], '.') ? undefined : name;
  };
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1];
    // `JSON_VALUE(… RETURNING type)`
    const isBehind = isSymbol(token, '::') || isWord(token, 'RETURNING');
    const place = isBehind ? at + 1 : isCast(token, next) ? endOfCast(tokens, at) : tokens.length;
    const found = foreignAt(place);
    if (found !== undefined) return found;
    // `grade 'a'` converts as a cast does.
    const name = next?.kind === 'string' && !next.text.startsWith('"') ? nameOfToken(token, lexer) : undefined;
    if (name === undefined || isSymbol(tokens[at - 1], '::')) continue;
    const folded = foldName(name, 'insensitive');
    const isWordBefore = token.kind === 'word' && (reserved.has(folded) || BEFORE_TEXT.has(folded));
    if (!isWordBefore && (!isOwn(folded, at) || isSymbol(tokens[at - 1], '.'))) return name;
  }
  return undefined;
}

function isCast(token: SqlToken, next: SqlToken | undefined): boolean {
  return token.kind === 'word' && /^(?:try_|safe_)?cast$/i.test(token.text) && isSymbol(next, '(');
}

/** Behind the AS of a cast that starts there; behind the last token where it has none. */
function endOfCast(tokens: readonly SqlToken[], start: number): number {
  let depth = 0;
  for (let at = start + 1; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (isSymbol(token, '(')) depth += 1;
    else if (isSymbol(token, ')')) depth -= 1;
    else if (depth === 1 && isWord(token, 'AS')) return at + 1;
    if (depth === 0) break;
  }
  return tokens.length;
}
