import { didYouMean } from '@askema/core';
import type { SqlToken } from '@askema/sql';
import type { Call, Expression, Literal } from './expression.ts';
import { FUNCTIONS, type FunctionSignature, TIME_PARTS, timePart } from './functions.ts';
import { literal, textOf } from './read-literal.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Reads calls of functions: their arguments, FILTER and WITHIN GROUP. */
export class CallReader {
  readonly #tokens: TokenCursor;
  readonly #expression: () => Expression;
  /** The aggregate whose brackets are open. */
  #aggregate: string | undefined;

  constructor(tokens: TokenCursor, expression: () => Expression) {
    this.#tokens = tokens;
    this.#expression = expression;
  }

  /** Whose name was read; the bracket is next. */
  read(token: SqlToken, name: string): Expression {
    const tokens = this.#tokens;
    if (name === 'EXTRACT' || name === 'DATE_PART') return this.#extract(token, name);
    if (TIME_PARTS.has(name) || name === 'DATE' || name === 'TO_DATE') return this.#ofTime(token, name);
    const signature = FUNCTIONS.get(name);
    if (signature === undefined) {
      const advice = didYouMean(name, FUNCTIONS.keys()) || 'Write it with functions that metrics may call.';
      return tokens.refuse(`there is no function \`${token.text}\` here. ${advice}`, token);
    }
    const outer = this.#aggregate;
    const isAggregate = signature.kind === 'aggregate';
    if (isAggregate && outer !== undefined)
      tokens.refuse(`${name} stands inside of ${outer}; an aggregate takes none`, token);
    if (isAggregate) this.#aggregate = name;
    const { list, isDistinct } = this.#arguments(token, name, signature);
    const withinGroup = this.#withinGroup(token, name, signature);
    const filter = this.#filter(isAggregate, name);
    if (tokens.isWord('OVER')) tokens.refuse('window functions (OVER) are not part of expressions', tokens.peek());
    this.#aggregate = outer;
    const span = { start: token.start, end: tokens.end };
    return { kind: 'call', name, isAggregate, isDistinct, arguments: list, filter, withinGroup, span };
  }

  #arguments(token: SqlToken, name: string, signature: FunctionSignature): { list: Expression[]; isDistinct: boolean } {
    const tokens = this.#tokens;
    if (!tokens.takeSymbol('(')) return { list: [], isDistinct: false };
    const star = tokens.peek();
    if (star !== undefined && name === 'COUNT' && tokens.takeSymbol('*')) {
      tokens.needSymbol(')');
      return { list: [{ kind: 'star', span: { start: star.start, end: star.end } }], isDistinct: false };
    }
    const isDistinct = tokens.takeWords('DISTINCT');
    if (isDistinct && signature.takesDistinct !== true) tokens.refuse(`${name} takes no DISTINCT`, token);
    const list: Expression[] = [];
    if (signature.takesUnit === true) {
      list.push(this.#unit());
      tokens.needSymbol(',');
    }
    if (list.length > 0 || !tokens.takeSymbol(')')) list.push(...this.#list());
    const { least, most } = signature;
    if (list.length < least || list.length > (most ?? Number.POSITIVE_INFINITY)) {
      const wanted = least === most ? String(least) : `${least} to ${most ?? 'any number of'}`;
      tokens.refuse(`${name} takes ${wanted} arguments and has ${list.length}`, token);
    }
    return { list, isDistinct };
  }

  #list(): Expression[] {
    const list: Expression[] = [];
    do list.push(this.#expression());
    while (this.#tokens.takeSymbol(','));
    this.#tokens.needSymbol(')');
    return list;
  }

  /** `month` or `'month'`, as a text in lower case. */
  #unit(): Literal {
    const tokens = this.#tokens;
    const token = tokens.next('a unit of time');
    const part = timePart(token.kind === 'string' ? textOf(token, tokens) : token.text);
    if (part === undefined)
      return tokens.refuse(`\`${token.text}\` is no unit of time; day, week, month, quarter and year are`, token);
    return literal('string', part.toLowerCase(), token);
  }

  #withinGroup(token: SqlToken, name: string, signature: FunctionSignature): Call['withinGroup'] {
    const tokens = this.#tokens;
    if (signature.isOrdered !== true) return undefined;
    if (!tokens.takeWords('WITHIN', 'GROUP')) tokens.refuse(`${name} needs WITHIN GROUP (ORDER BY …)`, token);
    tokens.needSymbol('(');
    tokens.needWord('ORDER');
    tokens.needWord('BY');
    const expression = this.#expression();
    const isDescending = tokens.takeWords('DESC');
    if (!isDescending) tokens.takeWords('ASC');
    tokens.needSymbol(')');
    return { expression, isDescending };
  }

  #filter(isAggregate: boolean, name: string): Expression | undefined {
    const tokens = this.#tokens;
    if (!tokens.isWord('FILTER') || !tokens.isSymbol('(', 1)) return undefined;
    if (!isAggregate) tokens.refuse(`${name} is no aggregate and takes no FILTER`, tokens.peek());
    tokens.needWord('FILTER');
    tokens.needSymbol('(');
    tokens.needWord('WHERE');
    const condition = this.#expression();
    tokens.needSymbol(')');
    return condition;
  }

  #extract(token: SqlToken, name: string): Expression {
    const tokens = this.#tokens;
    tokens.needSymbol('(');
    const unit = this.#unit().value.toUpperCase();
    if (name === 'EXTRACT') tokens.needWord('FROM');
    else tokens.needSymbol(',');
    const operand = this.#expression();
    tokens.needSymbol(')');
    return { kind: 'extract', unit, operand, span: { start: token.start, end: tokens.end } };
  }

  /** `YEAR(d)`, `DATE(d)`. */
  #ofTime(token: SqlToken, name: string): Expression {
    const tokens = this.#tokens;
    tokens.needSymbol('(');
    const operand = this.#expression();
    if (tokens.isSymbol(',')) tokens.refuse(`${name} takes one argument`, tokens.peek());
    tokens.needSymbol(')');
    const span = { start: token.start, end: tokens.end };
    if (TIME_PARTS.has(name)) return { kind: 'extract', unit: name, operand, span };
    return { kind: 'cast', operand, type: 'DATE', isSafe: false, span };
  }
}
