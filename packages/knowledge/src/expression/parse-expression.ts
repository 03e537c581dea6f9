import { isAskemaError, type LexerTraits } from '@askema/core';
import { nameOfToken, type SqlToken } from '@askema/sql';
import { CallReader } from './call-reader.ts';
import type { BinaryOperator, Expression } from './expression.ts';
import { intervalOf, literal, numberOf, textOf, typeName } from './read-literal.ts';
import { TokenCursor } from './token-cursor.ts';

/** Deeper expressions are refused, so that nothing that walks them runs out of stack. */
const MAX_DEPTH = 200;

/** How tight operators bind. `||` and arithmetic are as in PostgreSQL; writers put brackets where engines differ. */
const BINDING = {
  or: 1,
  and: 2,
  not: 3,
  is: 4,
  comparison: 5,
  range: 6,
  concat: 7,
  sum: 8,
  product: 9,
  sign: 10,
  cast: 11,
};

const OPERATORS: Readonly<Record<string, readonly [BinaryOperator, number]>> = {
  OR: ['OR', BINDING.or],
  AND: ['AND', BINDING.and],
  '=': ['=', BINDING.comparison],
  '<>': ['<>', BINDING.comparison],
  '!=': ['<>', BINDING.comparison],
  '<': ['<', BINDING.comparison],
  '<=': ['<=', BINDING.comparison],
  '>': ['>', BINDING.comparison],
  '>=': ['>=', BINDING.comparison],
  LIKE: ['LIKE', BINDING.range],
  ILIKE: ['ILIKE', BINDING.range],
  '||': ['||', BINDING.concat],
  '+': ['+', BINDING.sum],
  '-': ['-', BINDING.sum],
  '*': ['*', BINDING.product],
  '/': ['/', BINDING.product],
  '%': ['%', BINDING.product],
};

/** Words that are no names unless they stand in quotes. */
const RESERVED = new Set(
  'ALL AND ANY AS ASC BETWEEN BY CASE CAST CROSS DELETE DESC DISTINCT DROP ELSE END ESCAPE EXCEPT EXISTS FROM FULL GROUP HAVING ILIKE IN INNER INSERT INTERSECT INTO IS JOIN LIKE LIMIT NOT NULL OFFSET ON OR ORDER OUTER OVER PARTITION SELECT SOME TABLE THEN UNION UPDATE USING VALUES WHEN WHERE WITH'.split(
    ' ',
  ),
);

/**
 * Reads an expression of a field, a metric or a condition. Names keep their spelling.
 *
 * @param lexer of the dialect that the text is written in; `ansiLexer` of `@askema/dialects` for ANSI_SQL.
 * @throws AskemaError `KNOWLEDGE_INVALID` with `details.position`: for what is no expression, for sub-queries, window
 * functions, parameters and functions that are not in {@link FUNCTIONS}, and for nesting deeper than 200.
 */
export function parseExpression(text: string, lexer: LexerTraits): Expression {
  const parser = new ExpressionParser(new TokenCursor(text, lexer));
  return parser.whole();
}

/** The same; undefined for a text that cannot be read. */
export function tryParseExpression(text: string, lexer: LexerTraits): Expression | undefined {
  try {
    return parseExpression(text, lexer);
  } catch (thrown) {
    if (!isAskemaError(thrown)) throw thrown;
    return undefined;
  }
}

class ExpressionParser {
  readonly #tokens: TokenCursor;
  readonly #calls: CallReader;
  #depth = 0;

  constructor(tokens: TokenCursor) {
    this.#tokens = tokens;
    this.#calls = new CallReader(tokens, () => this.#expression(0));
  }

  whole(): Expression {
    const expression = this.#expression(0);
    const rest = this.#tokens.peek();
    if (rest === undefined) return expression;
    if (rest.text === ';') return this.#tokens.refuse('it is one expression and takes no semicolon', rest);
    return this.#tokens.refuse(`\`${rest.text}\` stands behind its end`, rest);
  }

  /** An expression whose operators bind tighter than `least`. */
  #expression(least: number): Expression {
    const tokens = this.#tokens;
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) tokens.refuse(`it nests deeper than ${MAX_DEPTH}`, tokens.peek());
    let left = this.#prefix();
    for (let more = this.#operator(left, least); more !== undefined; more = this.#operator(left, least)) left = more;
    this.#depth -= 1;
    return left;
  }

  #operator(left: Expression, least: number): Expression | undefined {
    const tokens = this.#tokens;
    const token = tokens.peek();
    if (token === undefined || token.kind === 'quotedName' || token.kind === 'string') return undefined;
    const start = left.span.start;
    const word = token.text.toUpperCase();
    const isNegated = word === 'NOT';
    const named = isNegated ? (tokens.peek(1)?.text.toUpperCase() ?? '') : word;
    if (named === 'BETWEEN' || named === 'IN' || (isNegated && /^I?LIKE$/.test(named))) {
      if (BINDING.range <= least) return undefined;
      if (isNegated) tokens.next('an operator');
      tokens.next('an operator');
      if (named === 'BETWEEN') return this.#between(left, isNegated);
      if (named === 'IN') return this.#inList(left, isNegated);
      return this.#binary(left, named === 'LIKE' ? 'NOT LIKE' : 'NOT ILIKE', BINDING.range);
    }
    if (word === 'IS' && BINDING.is > least) return this.#test(left);
    if (word === '::' && BINDING.cast > least) {
      tokens.next('an operator');
      const type = typeName(tokens);
      return { kind: 'cast', operand: left, type, isSafe: false, span: { start, end: tokens.end } };
    }
    const known = OPERATORS[word];
    if (known === undefined || known[1] <= least) return undefined;
    tokens.next('an operator');
    return this.#binary(left, ...known);
  }

  #binary(left: Expression, operator: BinaryOperator, binding: number): Expression {
    const right = this.#expression(binding);
    if (this.#tokens.isWord('ESCAPE'))
      this.#tokens.refuse('ESCAPE is not known here; write the text without it', this.#tokens.peek());
    return { kind: 'binary', operator, left, right, span: { start: left.span.start, end: right.span.end } };
  }

  #between(operand: Expression, isNegated: boolean): Expression {
    const low = this.#expression(BINDING.range);
    this.#tokens.needWord('AND');
    const high = this.#expression(BINDING.range);
    return { kind: 'between', operand, low, high, isNegated, span: { start: operand.span.start, end: high.span.end } };
  }

  #inList(operand: Expression, isNegated: boolean): Expression {
    this.#tokens.needSymbol('(');
    const list = this.#list();
    return { kind: 'in', operand, list, isNegated, span: { start: operand.span.start, end: this.#tokens.end } };
  }

  #test(operand: Expression): Expression {
    const tokens = this.#tokens;
    tokens.needWord('IS');
    const isNegated = tokens.takeWords('NOT');
    const token = tokens.next('NULL, TRUE or FALSE');
    const is = token.text.toLowerCase();
    if (is !== 'null' && is !== 'true' && is !== 'false')
      return tokens.refuse(`IS \`${token.text}\` is not known; NULL, TRUE and FALSE are`, token);
    return { kind: 'test', operand, is, isNegated, span: { start: operand.span.start, end: token.end } };
  }

  /** Expressions with commas between them, up to and with the closing bracket. */
  #list(): Expression[] {
    const list: Expression[] = [];
    do list.push(this.#expression(0));
    while (this.#tokens.takeSymbol(','));
    this.#tokens.needSymbol(')');
    return list;
  }

  #prefix(): Expression {
    const tokens = this.#tokens;
    const token = tokens.next('an expression');
    const { start } = token;
    if (token.kind === 'number') return numberOf(token, tokens);
    if (token.kind === 'string') return literal('string', textOf(token, tokens), token);
    if (token.kind === 'quotedName') return this.#named(token);
    if (token.kind === 'word') return this.#word(token);
    if (token.text === '(') return this.#bracket(token);
    if (token.text === '-' || token.text === '+') {
      const operand = this.#expression(BINDING.sign);
      return { kind: 'unary', operator: token.text, operand, span: { start, end: operand.span.end } };
    }
    if (token.kind === 'parameter' || token.kind === 'template')
      return tokens.refuse(`\`${token.text}\` is a parameter, and there are none here; write the value`, token);
    return tokens.refuse(`\`${token.text}\` stands where an expression should begin`, token);
  }

  #bracket(open: SqlToken): Expression {
    const inner = this.#expression(0);
    this.#tokens.needSymbol(')');
    return { ...inner, span: { start: open.start, end: this.#tokens.end } };
  }

  #word(token: SqlToken): Expression {
    const tokens = this.#tokens;
    const word = token.text.toUpperCase();
    if (tokens.isSymbol('.')) return this.#named(token);
    if (word === 'NULL') return literal('null', 'NULL', token);
    if (word === 'TRUE' || word === 'FALSE') return literal('boolean', word.toLowerCase(), token);
    if (word === 'NOT') {
      const operand = this.#expression(BINDING.not);
      return { kind: 'unary', operator: 'NOT', operand, span: { start: token.start, end: operand.span.end } };
    }
    if (word === 'CASE') return this.#case(token);
    const follows = tokens.peek();
    if (follows?.kind === 'string' && (word === 'DATE' || word === 'TIMESTAMP')) return this.#typedLiteral(token, word);
    if (word === 'INTERVAL' && (follows?.kind === 'string' || follows?.kind === 'number')) return this.#interval(token);
    if (word === 'SELECT' || word === 'WITH' || word === 'EXISTS')
      return tokens.refuse('sub-queries are not part of expressions; make a dataset of the query', token);
    if (tokens.isSymbol('(') && (word === 'CAST' || word === 'TRY_CAST' || word === 'SAFE_CAST'))
      return this.#cast(token);
    if (RESERVED.has(word)) return tokens.refuse(`\`${token.text}\` stands where an expression should begin`, token);
    if (tokens.isSymbol('(') || word === 'CURRENT_DATE') return this.#calls.read(token, word);
    return this.#named(token);
  }

  #named(first: SqlToken): Expression {
    const tokens = this.#tokens;
    const parts = [first];
    while (tokens.takeSymbol('.')) {
      const part = tokens.next('a name');
      if (part.kind !== 'word' && part.kind !== 'quotedName')
        tokens.refuse(`\`${part.text}\` stands behind a dot where a name should`, part);
      parts.push(part);
    }
    const last = parts.pop() ?? first;
    if (tokens.isSymbol('('))
      tokens.refuse(
        `functions have no names of schemas in front: \`${tokens.text.slice(first.start, last.end)}\``,
        first,
      );
    return {
      kind: 'column',
      qualifier: parts.map((part) => this.#nameOf(part)),
      name: this.#nameOf(last),
      isQuoted: last.kind === 'quotedName',
      span: { start: first.start, end: last.end },
    };
  }

  /** As it is spelled. */
  #nameOf(token: SqlToken): string {
    const name = token.kind === 'word' ? token.text : nameOfToken(token, this.#tokens.lexer);
    return name === undefined || name === '' ? this.#tokens.refuse('a name is empty', token) : name;
  }

  #case(token: SqlToken): Expression {
    const tokens = this.#tokens;
    const operand = tokens.isWord('WHEN') ? undefined : this.#expression(0);
    const branches: { when: Expression; result: Expression }[] = [];
    do {
      tokens.needWord('WHEN');
      const when = this.#expression(0);
      tokens.needWord('THEN');
      branches.push({ when, result: this.#expression(0) });
    } while (tokens.isWord('WHEN'));
    const otherwise = tokens.takeWords('ELSE') ? this.#expression(0) : undefined;
    tokens.needWord('END');
    return { kind: 'case', operand, branches, otherwise, span: { start: token.start, end: tokens.end } };
  }

  #cast(token: SqlToken): Expression {
    const tokens = this.#tokens;
    tokens.needSymbol('(');
    const operand = this.#expression(0);
    tokens.needWord('AS');
    const type = typeName(tokens);
    tokens.needSymbol(')');
    const isSafe = token.text.toUpperCase() !== 'CAST';
    return { kind: 'cast', operand, type, isSafe, span: { start: token.start, end: tokens.end } };
  }

  #typedLiteral(token: SqlToken, word: 'DATE' | 'TIMESTAMP'): Expression {
    const tokens = this.#tokens;
    const text = tokens.next('a text');
    const value = textOf(text, tokens);
    const pattern = word === 'DATE' ? /^\d{4}-\d{2}-\d{2}$/ : /^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$/;
    if (!pattern.test(value) || Number.isNaN(Date.parse(value.slice(0, 10))))
      return tokens.refuse(`${text.text} is no ${word.toLowerCase()}; write it as YYYY-MM-DD`, text);
    const type = word === 'DATE' ? 'date' : 'timestamp';
    return { kind: 'literal', type, value, span: { start: token.start, end: text.end } };
  }

  #interval(token: SqlToken): Expression {
    const { count, unit } = intervalOf(this.#tokens);
    return { kind: 'interval', count, unit, span: { start: token.start, end: this.#tokens.end } };
  }
}
