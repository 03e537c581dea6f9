import { createHash } from 'node:crypto';
import { type Dialect, throwIfAborted } from '@askema/core';
import { isSelectOnly, type SqlToken, significantTokens } from '@askema/sql';
import { addEvidence, type Evidence, noEvidence } from './evidence.ts';
import type { LoggedStatement, MineLimits, SkipReason } from './logged-statement.ts';

/** Statements that differ only in their literals. */
export interface StatementShape {
  readonly id: string;
  /** The first of them, with a literal of the same length in the place of each parameter. */
  readonly sql: string;
  /** Where the texts stand whose values are told apart, as offsets into `sql`. */
  readonly texts: readonly number[];
  /** Where literals stand whose value is not known: parameters, dates, long numbers. */
  readonly unknown: ReadonlySet<number>;
  /** By the values of its texts. */
  readonly variants: ReadonlyMap<string, Variant>;
}

interface Variant {
  /** In the order of `texts`; undefined where it is not known. */
  readonly values: readonly (string | undefined)[];
  /** By origin: an application and a user. */
  readonly uses: Map<string, Evidence>;
}

export interface CollectedShapes {
  readonly shapes: readonly StatementShape[];
  readonly skipped: Map<SkipReason, number>;
  /** Statements that were read. */
  readonly statements: number;
  /** Origins that mostly repeat texts, or that were named. */
  readonly tools: ReadonlySet<string>;
}

/** Longer statements are left out, in UTF-16 code units: nobody writes them by hand. */
const MAX_LENGTH = 100_000;
const MAX_SHAPES = 50_000;
/** Of all shapes that are kept, in UTF-16 code units. */
const MAX_KEPT = 64_000_000;
/** Combinations of values of one shape; those beyond count without their values. */
const MAX_VARIANTS = 64;
const MAX_ORIGINS = 10_000;
/** Texts whose repetitions are counted. */
const MAX_TEXTS = 500_000;
/** Longer ones are no codes, and longer numbers are ids or amounts. */
const MAX_CODE = 40;
const MAX_NUMBER = 4;
/** Statements between two looks at the signal. */
const BATCH = 500;

interface OpenShape extends StatementShape {
  readonly variants: Map<string, Variant>;
}

/** Reads a log in one pass. What is kept does not grow with its length, but with the number of different statements. */
export async function collectShapes(
  statements: Iterable<LoggedStatement> | AsyncIterable<LoggedStatement>,
  dialect: Dialect,
  limits: MineLimits,
  { signal, onProgress }: { signal?: AbortSignal | undefined; onProgress?: ((read: number) => void) | undefined },
): Promise<CollectedShapes> {
  const collector = new Collector(dialect, limits);
  for await (const statement of statements) {
    collector.add(statement);
    if (collector.read % BATCH !== 0) continue;
    throwIfAborted(signal, 'Reading the log');
    onProgress?.(collector.read);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return collector.collected();
}

class Collector {
  readonly #dialect: Dialect;
  readonly #limits: MineLimits;
  readonly #shapes = new Map<string, OpenShape>();
  readonly #skipped = new Map<SkipReason, number>();
  readonly #runs = new Map<string, number>();
  readonly #origins = new Map<string, Origin>();
  #kept = 0;
  read = 0;

  constructor(dialect: Dialect, limits: MineLimits) {
    this.#dialect = dialect;
    this.#limits = limits;
  }

  add(statement: LoggedStatement): void {
    this.read += 1;
    const reason = this.#reasonAgainst(statement);
    if (reason === undefined) this.#keep(statement);
    else this.#skip(reason);
  }

  collected(): CollectedShapes {
    const { tools, toolRuns } = this.#limits;
    const named = new Set(tools.map((tool) => tool.toLowerCase()));
    const found = new Set<string>();
    for (const [key, { application, user, runs, repeated }] of this.#origins) {
      const isNamed = named.has(application.toLowerCase()) || named.has(user.toLowerCase());
      if (isNamed || (runs >= toolRuns && repeated * 2 > runs)) found.add(key);
    }
    return { shapes: [...this.#shapes.values()], skipped: this.#skipped, statements: this.read, tools: found };
  }

  #skip(reason: SkipReason): void {
    this.#skipped.set(reason, (this.#skipped.get(reason) ?? 0) + 1);
  }

  #reasonAgainst({ sql, at, failed, ...statement }: LoggedStatement): SkipReason | undefined {
    if (isOwn(statement)) return 'own';
    if (failed === true) return 'failed';
    if (sql.trim() === '<insufficient privilege>') return 'hidden';
    if (sql.length > MAX_LENGTH) return 'too long';
    if (this.#limits.since !== undefined && at !== undefined && at < this.#limits.since) return 'before --since';
    return isSelectOnly(sql, this.#dialect.lexer) ? undefined : 'no query';
  }

  #keep({ sql, calls = 1, user = '', at, application = '' }: LoggedStatement): void {
    const { lexer } = this.#dialect;
    const tokens = significantTokens(sql, lexer);
    const literals = tokens.map((token) => literalOf(token));
    const key = hashOf(
      tokens
        .map((token, at) => {
          const literal = literals[at];
          if (literal === undefined) return token.kind === 'word' ? token.text.toLowerCase() : token.text;
          return literal.kind === 'number' ? token.text : `?${literal.kind}`;
        })
        .join('\u0001'),
    );
    const shape = this.#shapes.get(key) ?? this.#open(key, sql, tokens, literals);
    if (shape === undefined) {
      this.#skip('too many shapes');
      return;
    }
    const name = user.normalize('NFKC').replaceAll(/\p{C}/gu, '').trim().toLowerCase();
    const values = literals.flatMap((literal) => (literal?.kind === 'text' ? [literal.value] : []));
    const origin = this.#originOf(user, application, sql, calls);
    const variant = variantOf(shape, values);
    let use = variant.uses.get(origin);
    if (use === undefined) {
      use = noEvidence();
      variant.uses.set(origin, use);
    }
    const users = new Map(name === '' ? [] : [[name, calls]]);
    addEvidence(use, { count: calls, users, last: at, example: '', shapes: new Set([shape.id]) });
  }

  #open(
    id: string,
    sql: string,
    tokens: readonly SqlToken[],
    literals: readonly (FoundLiteral | undefined)[],
  ): OpenShape | undefined {
    if (this.#shapes.size >= MAX_SHAPES || this.#kept + sql.length > MAX_KEPT) return undefined;
    const starts = (kind: FoundLiteral['kind']): number[] =>
      tokens.flatMap(({ start }, at) => (literals[at]?.kind === kind ? [start] : []));
    const shape = {
      id,
      sql: withoutParameters(sql, tokens),
      texts: starts('text'),
      unknown: new Set(starts('unknown')),
      variants: new Map<string, Variant>(),
    };
    this.#kept += sql.length;
    this.#shapes.set(id, shape);
    return shape;
  }

  #originOf(user: string, application: string, sql: string, calls: number): string {
    const wanted = JSON.stringify([application, user]);
    const key = this.#origins.has(wanted) || this.#origins.size < MAX_ORIGINS ? wanted : '';
    const origin = this.#origins.get(key) ?? { application, user, runs: 0, repeated: 0 };
    this.#origins.set(key, origin);
    // Nobody is told apart: sums over all users are no repetition.
    if (user === '' && application === '') return key;
    origin.runs += calls;
    const text = hashOf(`${key}\n${sql}`);
    const runs = this.#runs.get(text) ?? 0;
    if (runs === 0 && this.#runs.size >= MAX_TEXTS) return key;
    this.#runs.set(text, runs + calls);
    const { toolRuns } = this.#limits;
    if (runs + calls >= toolRuns) origin.repeated += runs >= toolRuns ? calls : runs + calls;
    return key;
  }
}

interface Origin {
  readonly application: string;
  readonly user: string;
  runs: number;
  /** Runs of texts that it ran very often. */
  repeated: number;
}

/** Adapters say it of what they run, as far as engines keep it: docs/guide/knowledge-mining.md. */
function isOwn({ isOwn, application = '', tag = '' }: Omit<LoggedStatement, 'sql'>): boolean {
  return isOwn === true || /^askema(?!\p{L})/iu.test(application) || /(?<!\p{L})askema(?!\p{L})/iu.test(tag);
}

function variantOf(shape: OpenShape, values: readonly (string | undefined)[]): Variant {
  const isFull = shape.variants.size >= MAX_VARIANTS;
  const wanted = JSON.stringify(values.map((value) => value ?? null));
  const known = shape.variants.get(wanted);
  if (known !== undefined) return known;
  const kept = isFull ? values.map(() => undefined) : values;
  const key = isFull ? 'others' : wanted;
  const variant = shape.variants.get(key) ?? { values: kept, uses: new Map<string, Evidence>() };
  shape.variants.set(key, variant);
  return variant;
}

type FoundLiteral =
  /** A short number: a part of the form. */
  | { readonly kind: 'number' }
  | { readonly kind: 'text'; readonly value: string | undefined }
  | { readonly kind: 'unknown' };

const CODE = /^[\p{L}\p{N}][\p{L}\p{N} _./+&-]*$/u;
const TIME = /^\d{1,4}[-/.:]\d{1,2}/;

function literalOf(token: SqlToken): FoundLiteral | undefined {
  if (token.kind === 'parameter') return { kind: 'unknown' };
  if (token.kind === 'number') return { kind: isShort(token.text) ? 'number' : 'unknown' };
  if (token.kind !== 'string') return undefined;
  const text = token.text.slice(1, -1);
  const isCode = text.length <= MAX_CODE && CODE.test(text) && !TIME.test(text);
  return { kind: 'text', value: isCode && token.text.startsWith("'") ? text : undefined };
}

/** `100.0` is 100, written so that a division has a fraction. */
function isShort(number: string): boolean {
  return number.replace(/\.0+$/, '').length <= MAX_NUMBER;
}

/** Neither the parser of expressions nor every grammar reads parameters; their places have to stay. */
function withoutParameters(sql: string, tokens: readonly SqlToken[]): string {
  let text = '';
  let end = 0;
  for (const { kind, start, end: to } of tokens) {
    if (kind !== 'parameter') continue;
    text += sql.slice(end, start) + (to - start < 2 ? '0' : `'${' '.repeat(to - start - 2)}'`);
    end = to;
  }
  return text + sql.slice(end);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64').slice(0, 16);
}
