import type { LexerTraits } from '../adapter/dialect.ts';
import { comparedName, nameOfToken } from './name-of-token.ts';
import { isSymbol, isWord, type SqlToken } from './sql-token.ts';
import type { WithClause } from './with-clauses.ts';

/** What happens to names in front of a token. */
type NameEvent = () => void;

/** Words behind which no relation is named any more. */
const CLAUSE_ENDS = new Set(
  'WHERE GROUP HAVING ORDER QUALIFY LIMIT OFFSET FETCH WINDOW UNION INTERSECT EXCEPT MINUS SET CONNECT START RETURNING WHEN VALUES'.split(
    ' ',
  ),
);
/** Words that name a relation when they begin a query. */
const LEADING_WORDS = new Set('TABLE PIVOT UNPIVOT SUMMARIZE'.split(' '));

interface Frame {
  /** A SELECT (or a leading FROM) makes this bracket a query, and no call such as EXTRACT(YEAR FROM x). */
  isQuery: boolean;
  inFrom: boolean;
  /** The next name is a relation. */
  expectsRelation: boolean;
  isEmpty: boolean;
}

/**
 * Which CTEs each CTE reads: for every clause, for every CTE, the positions of CTEs of the same clause. Names are looked for where
 * relations stand, the innermost WITH that declares the name wins; without RECURSIVE a name holds only behind its body. One pass.
 */
export function findReferences(
  tokens: readonly SqlToken[],
  clauses: readonly WithClause[],
  traits: LexerTraits,
): readonly (readonly ReadonlySet<number>[])[] {
  const found = clauses.map(({ ctes }) => ctes.map(() => new Set<number>()));
  const scopes = new NameScopes(tokens, clauses, traits);
  const frames: Frame[] = [newFrame()];
  for (const [index, token] of tokens.entries()) {
    scopes.moveTo(index);
    const frame = frames.at(-1) ?? newFrame();
    const wasEmpty = frame.isEmpty;
    frame.isEmpty = false;
    if (isSymbol(token, '(')) {
      const inRelation = frame.expectsRelation;
      frame.expectsRelation = false;
      frames.push({ isQuery: inRelation, inFrom: inRelation, expectsRelation: inRelation, isEmpty: true });
    } else if (isSymbol(token, ')')) {
      if (frames.length > 1) frames.pop();
    } else if (isSymbol(token, ',')) {
      frame.expectsRelation = frame.inFrom;
    } else if (token.kind === 'word' || token.kind === 'quotedName' || token.kind === 'template') {
      if (isSymbol(tokens[index - 1], '.')) continue;
      if (token.kind === 'word' && readKeyword(frame, tokens, index, wasEmpty)) continue;
      if (!frame.expectsRelation) continue;
      frame.expectsRelation = false;
      if (isSymbol(tokens[index + 1], '.') || isSymbol(tokens[index + 1], '(')) continue;
      const reference = scopes.resolve(token);
      if (reference !== undefined) found[reference.clause]?.[reference.inside]?.add(reference.cte);
    } else if (token.kind !== 'comment') frame.expectsRelation = false;
  }
  return found;
}

function newFrame(): Frame {
  return { isQuery: true, inFrom: false, expectsRelation: false, isEmpty: true };
}

/** Follows the clauses of a query; true when the word is such a keyword. */
function readKeyword(frame: Frame, tokens: readonly SqlToken[], index: number, isFirst: boolean): boolean {
  const word = tokens[index]?.text.toUpperCase() ?? '';
  const before = tokens[index - 1];
  if (word === 'SELECT') Object.assign(frame, { isQuery: true, inFrom: false, expectsRelation: false });
  else if (word === 'FROM') {
    if (isFirst || isWord(before, 'DELETE')) frame.isQuery = true;
    // a IS [NOT] DISTINCT FROM b
    const compares = isWord(before, 'DISTINCT') && ['IS', 'NOT'].some((one) => isWord(tokens[index - 2], one));
    if (frame.isQuery && !compares) Object.assign(frame, { inFrom: true, expectsRelation: true });
  } else if (word === 'JOIN' || word === 'APPLY') Object.assign(frame, { inFrom: true, expectsRelation: true });
  else if (word === 'USING') frame.expectsRelation = !isSymbol(tokens[index + 1], '(');
  else if (word === 'LATERAL' || word === 'ONLY') return frame.expectsRelation;
  else if (LEADING_WORDS.has(word) && isFirst) frame.expectsRelation = true;
  else if (CLAUSE_ENDS.has(word)) {
    if (frame.expectsRelation) return false;
    frame.inFrom = false;
  } else return false;
  return true;
}

/** Where a name leads. */
interface Reference {
  readonly clause: number;
  readonly cte: number;
  /** The CTE of the same clause in whose body the name stands; -1 for elsewhere. */
  readonly inside: number;
}

/** The names that hold at a token. Every change happens once, at its token, so that nesting costs nothing. */
class NameScopes {
  readonly #events = new Map<number, NameEvent[]>();
  readonly #declared = new Map<string, { readonly clause: number; readonly cte: number }[]>();
  readonly #inside: number[];
  readonly #traits: LexerTraits;

  constructor(tokens: readonly SqlToken[], clauses: readonly WithClause[], traits: LexerTraits) {
    this.#traits = traits;
    this.#inside = clauses.map(() => -1);
    for (const [clause, { at, recursive, ctes, scopeEnd }] of clauses.entries()) {
      for (const [cte, { name, open, close }] of ctes.entries()) {
        const key = this.#key(tokens[name]);
        this.#at(recursive ? at : close, () => this.#stack(key).push({ clause, cte }));
        this.#at(scopeEnd, () => this.#stack(key).pop());
        this.#at(open, () => {
          this.#inside[clause] = cte;
        });
        this.#at(close, () => {
          this.#inside[clause] = -1;
        });
      }
    }
  }

  moveTo(index: number): void {
    for (const event of this.#events.get(index) ?? []) event();
  }

  resolve(token: SqlToken): Reference | undefined {
    const declared = this.#declared.get(this.#key(token))?.at(-1);
    return declared === undefined ? undefined : { ...declared, inside: this.#inside[declared.clause] ?? -1 };
  }

  #key(token: SqlToken | undefined): string {
    const name = token === undefined ? undefined : nameOfToken(token, this.#traits);
    return comparedName(name ?? token?.text ?? '', this.#traits);
  }

  #stack(key: string): { readonly clause: number; readonly cte: number }[] {
    let stack = this.#declared.get(key);
    if (stack === undefined) {
      stack = [];
      this.#declared.set(key, stack);
    }
    return stack;
  }

  #at(index: number, event: NameEvent): void {
    const events = this.#events.get(index);
    if (events === undefined) this.#events.set(index, [event]);
    else events.push(event);
  }
}
