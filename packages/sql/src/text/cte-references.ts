import type { LexerTraits } from '@askema/core';
import { comparedName, isSymbol, isWord, nameOfToken, type SqlToken } from './sql-token.ts';
import type { WithClause } from './with-clauses.ts';

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
 * Which CTEs each CTE reads: for every clause, for every CTE, the positions of CTEs of the same clause, one for each
 * place. Names are looked for where relations stand, the innermost WITH that declares the name wins; without RECURSIVE
 * a name holds only behind its body. One pass.
 */
export function findReferences(
  tokens: readonly SqlToken[],
  clauses: readonly WithClause[],
  traits: LexerTraits,
): readonly (readonly (readonly number[] | undefined)[])[] {
  const found = clauses.map(({ ctes }) => ctes.map((): number[] | undefined => undefined));
  visitRelations(tokens, clauses, traits, (index, reference) => {
    if (isSymbol(tokens[index + 1], '.') || isSymbol(tokens[index + 1], '(')) return;
    const readers = reference === undefined || reference.inside < 0 ? undefined : found[reference.clause];
    if (reference === undefined || readers === undefined) return;
    const read = readers[reference.inside];
    if (read === undefined) readers[reference.inside] = [reference.cte];
    else read.push(reference.cte);
  });
  return found;
}

/**
 * Visits each name that stands where a relation is read: the index of its first token, and the CTE that an undotted
 * name means there.
 */
export function visitRelations(
  tokens: readonly SqlToken[],
  clauses: readonly WithClause[],
  traits: LexerTraits,
  visit: (index: number, reference: Reference | undefined) => void,
): void {
  const scopes = clauses.length === 0 ? undefined : new NameScopes(tokens, clauses, traits);
  const frames: Frame[] = [newFrame()];
  let begun = 0;
  for (let index = 0; index < tokens.length; index += 1) {
    scopes?.moveTo(index);
    const token = tokens[index] as SqlToken;
    const frame = frames.at(-1) ?? newFrame();
    const wasEmpty = frame.isEmpty;
    frame.isEmpty = false;
    if (clauses[begun]?.at === index) {
      // Of a sub-query in FROM: neither the word nor the names that it declares are relations.
      begun += 1;
      Object.assign(frame, { isQuery: true, inFrom: false, expectsRelation: false });
    } else if (isSymbol(token, '(')) {
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
      visit(index, scopes?.resolve(token));
    } else if (token.kind !== 'comment') frame.expectsRelation = false;
  }
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

/** A name that holds, and the same name of a WITH around it, which holds again when this one ends. */
interface Declared {
  readonly clause: number;
  readonly cte: number;
  readonly around: Declared | undefined;
}

/**
 * The names that hold at a token. Every change happens once, at its token, so that nesting costs nothing; a long chain
 * of CTEs makes no garbage.
 */
class NameScopes {
  readonly #tokens: readonly SqlToken[];
  readonly #clauses: readonly WithClause[];
  readonly #traits: LexerTraits;
  readonly #declared = new Map<string, Declared | undefined>();
  /** Of each clause the CTE in whose body we are; -1 for none. */
  readonly #inside: Int32Array;
  /** By token: the clause and the position of the CTE whose body it opens or closes, -1 for none. */
  readonly #bodyClause: Int32Array;
  readonly #bodyCte: Int32Array;
  /** By token: the last clause that ends there; by clause: the one before of the same end. -1 for none. */
  readonly #ending: Int32Array;
  readonly #endingToo: Int32Array;
  /** How many clauses have begun. */
  #begun = 0;

  constructor(tokens: readonly SqlToken[], clauses: readonly WithClause[], traits: LexerTraits) {
    this.#tokens = tokens;
    this.#clauses = clauses;
    this.#traits = traits;
    this.#inside = new Int32Array(clauses.length).fill(-1);
    this.#bodyClause = new Int32Array(tokens.length + 1).fill(-1);
    this.#bodyCte = new Int32Array(tokens.length + 1);
    this.#ending = new Int32Array(tokens.length + 1).fill(-1);
    this.#endingToo = new Int32Array(clauses.length).fill(-1);
    for (const [clause, { ctes, scopeEnd }] of clauses.entries()) {
      this.#endingToo[clause] = this.#ending[scopeEnd] ?? -1;
      this.#ending[scopeEnd] = clause;
      for (const [cte, { open, close }] of ctes.entries())
        for (const bracket of [open, close]) {
          this.#bodyClause[bracket] = clause;
          this.#bodyCte[bracket] = cte;
        }
    }
  }

  moveTo(index: number): void {
    // Names inside of a body end before that body does, and its own name begins to hold.
    for (let clause = this.#ending[index] ?? -1; clause >= 0; clause = this.#endingToo[clause] ?? -1) this.#end(clause);
    const next = this.#clauses[this.#begun];
    if (next?.at === index) {
      if (next.recursive) for (let cte = 0; cte < next.ctes.length; cte += 1) this.#declare(this.#begun, cte);
      this.#begun += 1;
    }
    const clause = this.#bodyClause[index] ?? -1;
    if (clause < 0) return;
    const cte = this.#bodyCte[index] ?? 0;
    const opens = this.#clauses[clause]?.ctes[cte]?.open === index;
    this.#inside[clause] = opens ? cte : -1;
    if (!opens && this.#clauses[clause]?.recursive === false) this.#declare(clause, cte);
  }

  resolve(token: SqlToken): Reference | undefined {
    const declared = this.#declared.get(this.#key(token));
    if (declared === undefined) return undefined;
    const { clause, cte } = declared;
    return { clause, cte, inside: this.#inside[clause] ?? -1 };
  }

  #declare(clause: number, cte: number): void {
    const key = this.#keyOf(clause, cte);
    this.#declared.set(key, { clause, cte, around: this.#declared.get(key) });
  }

  #end(clause: number): void {
    const count = this.#clauses[clause]?.ctes.length ?? 0;
    for (let cte = 0; cte < count; cte += 1) {
      const key = this.#keyOf(clause, cte);
      this.#declared.set(key, this.#declared.get(key)?.around);
    }
  }

  #keyOf(clause: number, cte: number): string {
    return this.#key(this.#tokens[this.#clauses[clause]?.ctes[cte]?.name ?? -1]);
  }

  #key(token: SqlToken | undefined): string {
    const name = token === undefined ? undefined : nameOfToken(token, this.#traits);
    return comparedName(name ?? token?.text ?? '', this.#traits);
  }
}
