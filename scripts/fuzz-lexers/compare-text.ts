import {
  isSelectOnly,
  lexSql,
  prefixQuery,
  readOnlyText,
  type SqlToken,
  splitCtes,
  splitStatements,
  statementKind,
  stripComments,
} from '@askema/sql';
import type { EngineOutcome, FuzzedEngine } from './engines/fuzzed-engine.ts';

/** What came out of one text. */
export type Comparison =
  | { readonly kind: 'agreed' }
  /** The engine takes it as no SQL, so that there is nothing to compare. */
  | { readonly kind: 'rejected' }
  /** A difference that is known and written down. */
  | { readonly kind: 'known'; readonly reason: string }
  | { readonly kind: 'differs'; readonly check: Check; readonly detail: string };

/** `hole`: the guard takes for one reading statement what is none to the engine. */
type Check = 'crash' | 'hole' | 'tokens' | 'quoted' | 'statements' | 'ctes';

/**
 * Compares what our lexer and an engine make of a text. If they agree, then the engine gives the same for the text whose
 * tokens stand apart and which has no comments; the same shape for that whose strings are empty and whose odd names are
 * plain; as many results as there are statements, each alone as in the whole; and for each CTE the same alone as behind
 * those in front of it.
 */
export async function compareText(sql: string, engine: FuzzedEngine): Promise<Comparison> {
  const { lexer } = engine;
  const differs = (check: Check, detail: string): Comparison => ({ kind: 'differs', check, detail });
  try {
    callEverything(sql, engine);
  } catch (error) {
    return differs('crash', String(error));
  }
  const whole = await engine.run(sql);
  if (whole.kind === 'rejected') return { kind: 'rejected' };
  if (sql.includes('\0')) return { kind: 'known', reason: 'NUL' };
  if (/\p{Surrogate}/u.test(sql)) return { kind: 'known', reason: 'half a character' };
  const known = engine.known?.(sql);
  const guard = readOnlyText(sql, lexer);
  if (whole.kind === 'ran' && guard.ok && (whole.results.length !== 1 || whole.wrote))
    return differs('hole', `${whole.results.length} results, ${whole.wrote ? 'wrote' : 'only read'}`);
  if (known !== undefined) return { kind: 'known', reason: known };

  const statements = splitStatements(sql, lexer).map(({ start, end }) => sql.slice(start, end));
  if (whole.kind === 'ran' && whole.results.length === 0 && statements.length === 0) return { kind: 'agreed' };
  const tokens = lexSql(sql, lexer);
  const odd = whole.kind === 'ran' ? tokens.find(isRefused) : undefined;
  if (odd !== undefined) return differs('tokens', `${show(whole)}, but we see ${odd.kind} ${JSON.stringify(odd.text)}`);
  const apart = tokensApart(tokens);
  const again = await engine.run(apart);
  // MariaDB names a column by its text, comments included.
  const namesTwice = again.kind === 'failed' && /duplicate column/i.test(again.message);
  if (!same(whole, again) && !namesTwice)
    return differs('tokens', `${show(whole)} but ${show(again)} for ${JSON.stringify(apart)}`);
  if (whole.kind !== 'ran') return { kind: 'agreed' };

  const plain = plainTokens(tokens);
  const shape = await engine.run(plain);
  if (shape.kind !== 'failed' && shapeOf(whole) !== shapeOf(shape))
    return differs('quoted', `${show(whole)} but ${show(shape)} for ${JSON.stringify(plain)}`);

  if (statements.length !== whole.results.length)
    return differs('statements', `${whole.results.length} results, but we see ${JSON.stringify(statements)}`);
  if (statements.length > 1 && !whole.wrote)
    for (const [index, statement] of statements.entries()) {
      if (engine.known?.(statement) !== undefined) continue;
      const alone = await engine.run(statement);
      if (!same(alone, { ...whole, results: whole.results.slice(index, index + 1) }) && alone.kind !== 'failed')
        return differs('statements', `${show(alone)} for ${JSON.stringify(statement)} alone`);
    }
  return (await compareCtes(sql, engine)) ?? { kind: 'agreed' };
}

/** What no engine should take, because we say that it is no SQL; SQLite closes comments at the end of the text. */
function isRefused({ kind, unterminated }: SqlToken): boolean {
  return kind === 'template' || kind === 'unknown' || (unterminated === true && kind !== 'comment');
}

async function compareCtes(sql: string, engine: FuzzedEngine): Promise<Comparison | undefined> {
  const split = splitCtes(sql, engine.lexer);
  if (split.prelude.length > 0 || split.recursive) return undefined;
  for (const [index, cte] of split.ctes.entries()) {
    const prefix = prefixQuery(sql, split, index + 1, { traits: engine.lexer });
    const isKnown = [prefix, cte.body].some((text) => engine.known?.(text) !== undefined);
    if (isKnown || cte.dependsOn.length > 0) continue;
    const [behind, alone] = [await engine.run(prefix), await engine.run(cte.body)];
    if (behind.kind === 'rejected' || (behind.kind === 'ran' && shapeOf(behind) !== shapeOf(alone)))
      return {
        kind: 'differs',
        check: 'ctes',
        detail: `${show(behind)} for ${JSON.stringify(prefix)}, ${show(alone)} for ${JSON.stringify(cte.body)}`,
      };
  }
  return undefined;
}

function callEverything(sql: string, { lexer }: FuzzedEngine): void {
  const before = performance.now();
  const tokens = lexSql(sql, lexer);
  if (tokens.map(({ text }) => text).join('') !== sql) throw new Error('The tokens are not the text.');
  isSelectOnly(sql, lexer);
  statementKind(sql, lexer);
  stripComments(sql, lexer);
  splitCtes(sql, lexer);
  if (performance.now() - before > 2_000) throw new Error('More than two seconds.');
}

/** Blanks are one, comments are blanks, and there is one between any two tokens that may have one. */
function tokensApart(tokens: readonly SqlToken[]): string {
  let text = '';
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'blank' || token.kind === 'comment') text += blankFor(token);
    else text += (mayStandApart(tokens, index) ? ' ' : '') + token.text;
  }
  return text;
}

/** A new line joins strings in PostgreSQL. */
function blankFor({ text }: SqlToken): string {
  return /[\n\r]/.test(text) ? '\n' : ' ';
}

/**
 * MySQL tells a function by the bracket that touches it and a variable by what touches its `@`; a mark that closes a
 * comment is one.
 */
function mayStandApart(tokens: readonly SqlToken[], index: number): boolean {
  const [before, token] = [tokens[index - 1]?.text ?? '', tokens[index]?.text ?? ''];
  if (['.', '@', '\\'].includes(before) || ['.', '('].includes(token)) return false;
  return !(before === '*' && token === '/');
}

const PLAIN_WORD = /^[a-z_][a-z0-9_]*$/i;

/** Strings are empty, names that are odd or in quotes are plain ones, the same for the same. */
function plainTokens(tokens: readonly SqlToken[]): string {
  const names = new Map<string, string>();
  const plainName = (text: string): string => {
    if (/^\W?m[12]\W?$/i.test(text)) return text;
    const key = text.toLowerCase();
    const name = names.get(key) ?? `name${names.size}`;
    names.set(key, name);
    return name;
  };
  return tokensApart(
    tokens.map((token, index) => {
      if (tokens[index - 1]?.text === '@') return token;
      if (token.kind === 'string') return { ...token, text: emptyString(token.text) };
      if (token.kind === 'quotedName' || (token.kind === 'word' && !PLAIN_WORD.test(token.text)))
        return { ...token, text: plainName(token.text) };
      return token;
    }),
  );
}

function emptyString(text: string): string {
  const [open = ''] = /^(?:\$[^$]*\$|[a-z&]*(?:'''|"""|'|"))/i.exec(text) ?? [];
  const close = open.startsWith('$') ? open : open.replace(/^[a-z&]*/i, '');
  // An empty string in one quote touches no other.
  return text.length < open.length + close.length ? text : open + close;
}

function same(one: EngineOutcome, other: EngineOutcome): boolean {
  if (one.kind !== 'ran' || other.kind !== 'ran') return one.kind === other.kind;
  return JSON.stringify(one.results) === JSON.stringify(other.results);
}

/** How many results, and of each how many rows and columns. */
function shapeOf(outcome: EngineOutcome): string {
  if (outcome.kind !== 'ran') return outcome.kind;
  return outcome.results.map((rows) => `${rows.length}x${rows[0]?.length ?? 0}`).join();
}

function show(outcome: EngineOutcome): string {
  if (outcome.kind === 'ran') return JSON.stringify(outcome.results).slice(0, 200);
  return outcome.kind === 'failed' ? `failed (${outcome.message.slice(0, 120)})` : 'a syntax error';
}
