import type { LexerTraits, Span, StatementTraits } from '@askema/core';
import { significantTokens } from './lex-sql.ts';
import { isSymbol, isWord, type SqlToken } from './sql-token.ts';

/** One statement of a text: its tokens without blanks and comments, and without the semicolon. */
export interface Statement extends Span {
  readonly tokens: readonly SqlToken[];
}

/**
 * Where the statements of a text stand, from the first to the last token that carries meaning: without their
 * semicolons, and without comments in front and behind. A semicolon inside of a string, a comment, or a block (BEGIN …
 * END of a routine, a trigger or a script, where the dialect has them) ends nothing.
 */
export function splitStatements(sql: string, traits: LexerTraits): readonly Span[] {
  return readStatements(sql, traits).map(({ start, end }) => ({ start, end }));
}

/** Texts whose statements are kept, and how long they are at most. */
const MAX_KEPT = 8;
const MAX_CHARACTERS = 10_000;

const kept = new WeakMap<LexerTraits, Map<string, readonly Statement[]>>();

/**
 * {@link splitStatements} with the tokens. Those of the latest texts are kept: on its way a statement is looked through
 * by one guard after the other.
 */
export function readStatements(sql: string, traits: LexerTraits): readonly Statement[] {
  const known = kept.get(traits) ?? new Map<string, readonly Statement[]>();
  kept.set(traits, known);
  const before = known.get(sql);
  if (before !== undefined) return before;
  const statements = statementsOf(significantTokens(sql, traits), traits);
  if (sql.length > MAX_CHARACTERS) return statements;
  const [oldest] = known.size < MAX_KEPT ? [] : known.keys();
  if (oldest !== undefined) known.delete(oldest);
  known.set(sql, statements);
  return statements;
}

function statementsOf(tokens: readonly SqlToken[], traits: LexerTraits): readonly Statement[] {
  const statements: Statement[] = [];
  const blocks = new BlockTracker(traits);
  let from = 0;
  const close = (to: number): void => {
    const [first, last] = [tokens[from], tokens[to - 1]];
    if (to > from && first !== undefined && last !== undefined)
      statements.push({ start: first.start, end: last.end, tokens: tokens.slice(from, to) });
    from = to + 1;
    blocks.reset();
  };
  for (let index = 0; index < tokens.length; index += 1)
    if (isSymbol(tokens[index], ';') && !blocks.isOpen) close(index);
    else blocks.read(tokens, index, index === from);
  close(tokens.length);
  return statements;
}

/** Words behind BEGIN that make it the beginning of a transaction. */
const TRANSACTION_WORDS = new Set(
  'TRANSACTION TRAN WORK ISOLATION READ NAME DEFERRED IMMEDIATE EXCLUSIVE CONCURRENT NOT'.split(' '),
);
const ROUTINES = new Set('PROCEDURE FUNCTION TRIGGER TASK EVENT'.split(' '));
const SCRIPT_BLOCKS = new Set('IF LOOP WHILE REPEAT FOR CASE'.split(' '));
/** Behind these a statement of the block begins. */
const OPENERS = new Set('BEGIN DO LOOP REPEAT'.split(' '));
const BRANCHES = new Set(['THEN', 'ELSE']);
/** So many tokens in, CREATE has said what it creates. */
const HEAD_TOKENS = 12;

/** Follows the blocks inside of one statement; a stack of its own, no recursion. */
class BlockTracker {
  readonly #scripting: StatementTraits['scripting'];
  #open: ('block' | 'case')[] = [];
  /** Between DECLARE and the BEGIN of its block. */
  #declaring = false;
  #mayHaveBody = false;
  #creates = false;
  #position = 0;
  #atStart = true;
  #skipsWord = false;

  constructor(traits: LexerTraits) {
    this.#scripting = traits.statements?.scripting;
  }

  get isOpen(): boolean {
    return this.#open.length > 0 || this.#declaring;
  }

  reset(): void {
    this.#open = [];
    this.#declaring = false;
    this.#mayHaveBody = false;
    this.#creates = false;
    this.#position = 0;
    this.#atStart = true;
    this.#skipsWord = false;
  }

  read(tokens: readonly SqlToken[], index: number, isFirst: boolean): void {
    const token = tokens[index];
    const atStart = this.#atStart;
    const skipsWord = this.#skipsWord;
    this.#skipsWord = false;
    this.#position += 1;
    this.#atStart = false;
    if (token === undefined) return;
    if (isSymbol(token, ';') || isLabelEnd(tokens, index, atStart)) this.#atStart = true;
    if (token.kind !== 'word' || isSymbol(tokens[index - 1], '.')) return;
    const word = token.text.toUpperCase();
    if (isFirst) this.#creates = word === 'CREATE' || word === 'ALTER';
    if (this.#creates && this.#position <= HEAD_TOKENS && ROUTINES.has(word)) this.#mayHaveBody = true;
    // END IF, END LOOP
    if (skipsWord && SCRIPT_BLOCKS.has(word)) return;
    this.#readWord(word, tokens[index + 1], atStart);
  }

  #readWord(word: string, next: SqlToken | undefined, atStart: boolean): void {
    const inside = this.#open.length > 0;
    if (word === 'END') {
      if (!inside) return;
      this.#open.pop();
      this.#skipsWord = true;
    } else if (word === 'BEGIN') {
      const opens = inside
        ? atStart
        : this.#mayHaveBody || this.#declaring || (atStart && this.#scripting !== undefined);
      if (!opens || beginsTransaction(next)) return;
      this.#open.push('block');
      this.#declaring = false;
      this.#atStart = true;
    } else if (atStart && word === 'DECLARE' && this.#scripting?.declareOpensBlock === true) {
      this.#declaring = !inside;
    } else if (atStart && SCRIPT_BLOCKS.has(word) && (inside || this.#scripting !== undefined)) {
      this.#open.push('block');
      this.#atStart = OPENERS.has(word);
    } else if (inside && word === 'CASE') {
      this.#open.push('case');
    } else if (inside && (OPENERS.has(word) || (BRANCHES.has(word) && this.#open.at(-1) === 'block'))) {
      this.#atStart = true;
    }
  }
}

function beginsTransaction(next: SqlToken | undefined): boolean {
  return (
    next === undefined ||
    isSymbol(next, ';') ||
    (next.kind === 'word' && TRANSACTION_WORDS.has(next.text.toUpperCase()))
  );
}

/** `name:` in front of a block. */
function isLabelEnd(tokens: readonly SqlToken[], index: number, atStart: boolean): boolean {
  if (!isSymbol(tokens[index], ':') || atStart) return false;
  const next = tokens[index + 1];
  return ['BEGIN', 'LOOP', 'WHILE', 'REPEAT', 'FOR'].some((word) => isWord(next, word));
}
