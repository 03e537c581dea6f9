import type { Dialect, Span } from '@askema/core';
import {
  isSymbol,
  isWord,
  type QueryBlock,
  type QueryShape,
  type SqlToken,
  significantTokens,
  stripComments,
} from '@askema/sql';
import { type ActionProblem, type AskSubQuestion, type ClauseAction, problemOf } from './clause-action.ts';
import type { ActionSpan } from './expression-text.ts';

/** So much of a sub-query stands in the place of the question that nobody asked. */
const QUESTION_LENGTH = 300;

/** Words and signs that only hold together what actions say. */
const FRAME = new Set(
  'SELECT DISTINCT ALL FROM AS JOIN INNER LEFT RIGHT FULL OUTER CROSS ON WHERE AND OR GROUP BY HAVING ORDER WITH ( ) ,'.split(
    ' ',
  ),
);
/** In front of a bracket in FROM that holds joins, whose order no action says. */
const BEFORE_NESTED_JOIN = new Set(['FROM', 'JOIN']);

/**
 * Collects the actions of a statement: slices its source, makes sub-questions of the queries inside, and remembers what
 * was taken, so that whatever is left can be reported.
 */
export class QueryReader {
  readonly sql: string;
  readonly shape: QueryShape;
  readonly actions: ClauseAction[] = [];
  readonly answers: Record<string, string> = {};
  readonly spans: ActionSpan[] = [];
  readonly problems: ActionProblem[] = [];
  readonly #dialect: Pick<Dialect, 'lexer'>;
  readonly #tokens: readonly SqlToken[];
  readonly #taken: Span[] = [];
  readonly #ids: Set<string>;

  constructor(sql: string, shape: QueryShape, dialect: Pick<Dialect, 'lexer'>) {
    this.sql = sql;
    this.shape = shape;
    this.#dialect = dialect;
    this.#tokens = significantTokens(sql, dialect.lexer);
    this.#ids = new Set(shape.blocks.flatMap(({ ctes }) => ctes.map(({ name }) => name.text.toLowerCase())));
  }

  add(action: ClauseAction, ...spans: readonly (Span | undefined)[]): void {
    const index = this.actions.push(action) - 1;
    for (const span of spans) if (span !== undefined) this.spans.push({ action: index, span });
  }

  refuse(message: string): void {
    this.problems.push(problemOf(undefined, message));
  }

  /** Some action says this part of the source. */
  take(span: Span | undefined): void {
    if (span !== undefined) this.#taken.push(span);
  }

  /** The source without comments. */
  text(span: Span): string {
    return stripComments(this.sql.slice(span.start, span.end), this.#dialect.lexer).trim();
  }

  tokensIn(span: Span): readonly SqlToken[] {
    return this.#tokens.filter(({ start, end }) => start >= span.start && end <= span.end);
  }

  /** The span of a table function with LATERAL in front, and TABLE ( … ) around it. */
  withRowWords(span: Span): Span {
    const first = this.#tokens.findIndex(({ start }) => start === span.start);
    let [start, end] = [span.start, span.end];
    let before = first - 1;
    if (isSymbol(this.#tokens[before], '(') && isWord(this.#tokens[before - 1], 'TABLE')) {
      const close = this.#tokens.find((token) => token.start >= span.end);
      start = this.#tokens[before - 1]?.start ?? start;
      end = isSymbol(close, ')') ? (close?.end ?? end) : end;
      before -= 2;
    }
    if (isWord(this.#tokens[before], 'LATERAL')) start = this.#tokens[before]?.start ?? start;
    return { start, end };
  }

  /** The source with `$id` for each query inside. */
  expression(span: Span, block: QueryBlock): string {
    this.take(span);
    let text = '';
    let from = span.start;
    for (const inner of block.subqueries) {
      if (inner.span.start < from || inner.span.end > span.end) continue;
      const id = this.ask(inner.block, inner.role === 'scalar' ? 'value' : 'list');
      text += `${this.sql.slice(from, inner.span.start)}($${id})`;
      from = inner.span.end;
    }
    text = stripComments(text + this.sql.slice(from, span.end), this.#dialect.lexer).trim();
    return /^\(\$\w+\)$/.test(text) ? text.slice(1, -1) : text;
  }

  /** A query of its own as the answer of a sub-question, under a name of its own unless it has one. */
  ask(block: number, use: AskSubQuestion['use'], name?: string): string {
    const span = this.shape.blocks[block]?.span ?? { start: 0, end: 0 };
    const id = name ?? this.#freshId();
    const answer = this.text(span);
    this.answers[id] = answer;
    const question = answer.replace(/\s+/g, ' ').slice(0, QUESTION_LENGTH);
    this.add({ action: 'qa', id, question, use }, span);
    return id;
  }

  /** Reports whatever of the statement no action says. */
  reportRest(): void {
    const taken = [...this.#taken].sort((one, other) => one.start - other.start);
    const rest: SqlToken[] = [];
    let next = 0;
    let end = -1;
    let previous: SqlToken | undefined;
    for (const token of this.tokensIn(this.shape.statement)) {
      while (next < taken.length && (taken[next]?.start ?? 0) <= token.start) {
        end = Math.max(end, taken[next]?.end ?? 0);
        next += 1;
      }
      const isTaken = token.end <= end;
      const isNested =
        isSymbol(token, '(') && previous !== undefined && BEFORE_NESTED_JOIN.has(previous.text.toUpperCase());
      if (!isTaken && (isNested || !isFrame(token))) rest.push(token);
      previous = token;
    }
    const [first, last] = [rest[0], rest.at(-1)];
    if (first === undefined || last === undefined) return;
    const text = rest
      .map((token) => token.text)
      .join(' ')
      .slice(0, 120);
    this.refuse(`No clause action says \`${text}\`.`);
  }

  #freshId(): string {
    for (let number = Object.keys(this.answers).length + 1; ; number += 1) {
      const id = `q${number}`;
      if (this.#ids.has(id)) continue;
      this.#ids.add(id);
      return id;
    }
  }
}

function isFrame(token: SqlToken): boolean {
  return (token.kind === 'word' || token.kind === 'punctuation') && FRAME.has(token.text.toUpperCase());
}

/** The tokens without a direction and a place of NULLs at their end. */
export function withoutDirection(tokens: readonly SqlToken[]): readonly SqlToken[] {
  let end = tokens.length;
  if ((isWord(tokens[end - 1], 'FIRST') || isWord(tokens[end - 1], 'LAST')) && isWord(tokens[end - 2], 'NULLS'))
    end -= 2;
  if (isWord(tokens[end - 1], 'ASC') || isWord(tokens[end - 1], 'DESC')) end -= 1;
  return tokens.slice(0, end);
}
