import { AskemaError, type LexerTraits, positionAt, shortened } from '@askema/core';
import { isSymbol, isWord, lexSql, type SqlToken } from '@askema/sql';

/** Expressions are short. What is longer would also nest too deep for those who walk it. */
const MAX_TOKENS = 4_000;

/** What a lexer makes of a text, read from left to right. Every refusal says where it stands. */
export class TokenCursor {
  readonly text: string;
  readonly lexer: LexerTraits;
  readonly #tokens: readonly SqlToken[];
  #at = 0;

  constructor(text: string, lexer: LexerTraits) {
    this.text = text;
    this.lexer = lexer;
    const tokens = lexSql(text, lexer);
    const open = tokens.find((token) => token.unterminated);
    if (open !== undefined) this.refuse(`${kindOf(open)} is never closed`, open);
    this.#tokens = tokens.filter(({ kind }) => kind !== 'blank' && kind !== 'comment');
    const [first] = this.#tokens;
    if (first === undefined) this.refuse('it is empty');
    const last = this.#tokens[MAX_TOKENS];
    if (last !== undefined) this.refuse(`it has more than ${MAX_TOKENS} words and signs; split it`, last);
  }

  peek(ahead = 0): SqlToken | undefined {
    return this.#tokens[this.#at + ahead];
  }

  /** The next token, whatever it is. */
  next(expected: string): SqlToken {
    const token = this.#tokens[this.#at];
    if (token === undefined) return this.refuse(`it ends where ${expected} should follow`);
    this.#at += 1;
    return token;
  }

  isWord(word: string, ahead = 0): boolean {
    return isWord(this.peek(ahead), word);
  }

  isSymbol(symbol: string, ahead = 0): boolean {
    return isSymbol(this.peek(ahead), symbol);
  }

  /** Whether these words stand here; they are read then. */
  takeWords(...words: readonly string[]): boolean {
    if (!words.every((word, ahead) => this.isWord(word, ahead))) return false;
    this.#at += words.length;
    return true;
  }

  takeSymbol(symbol: string): boolean {
    if (!this.isSymbol(symbol)) return false;
    this.#at += 1;
    return true;
  }

  needWord(word: string): void {
    if (!this.takeWords(word)) this.#refuseNext(word);
  }

  needSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) this.#refuseNext(`\`${symbol}\``);
  }

  /** Where the last token that was read ends. */
  get end(): number {
    return this.#tokens[this.#at - 1]?.end ?? 0;
  }

  refuse(reason: string, token: SqlToken | undefined = undefined): never {
    const at = token?.start ?? this.text.length;
    throw new AskemaError(
      'KNOWLEDGE_INVALID',
      `The expression \`${shortened(this.text, 200)}\` cannot be used: ${reason} (character ${at + 1}).`,
      { details: { expression: this.text, position: positionAt(this.text, at) } },
    );
  }

  #refuseNext(expected: string): never {
    const token = this.peek();
    if (token === undefined) return this.refuse(`it ends where ${expected} should follow`);
    return this.refuse(`\`${token.text}\` stands where ${expected} should`, token);
  }
}

function kindOf({ kind }: SqlToken): string {
  if (kind === 'string') return 'a text in quotes';
  return kind === 'quotedName' ? 'a name in quotes' : `a ${kind}`;
}
