import type { ConditionTree } from './clause-action.ts';

export type ParsedConditionTree =
  | { readonly tree: ConditionTree; readonly problem: undefined }
  | { readonly tree: undefined /** For a model that tries again. */; readonly problem: string };

/** More brackets than any question needs; keeps the reader from a deep stack. */
const MAX_DEPTH = 40;

/**
 * Reads how conditions are combined, as a model answers it: `1 AND (2 OR 3)`, where each number is a label. Labels are the actions' indexes
 * plus one, so that a tree's `action` is the label minus one; `labels` are those of the clause. AND binds tighter than OR. Each label must
 * stand exactly once; whatever else stands in the text is a problem.
 */
export function parseConditionTree(text: string, labels: readonly number[]): ParsedConditionTree {
  const tokens = text.slice(0, 10_000).match(/\d+|\(|\)|[^\s()\d]+/g) ?? [];
  const reader = new TreeReader(tokens, new Set(labels));
  try {
    const tree = reader.readWhole();
    const missing = labels.filter((label) => !reader.seen.has(label));
    if (missing.length > 0) throw new TreeFault(`Condition ${missing.join(', ')} is missing: each stands once.`);
    return { tree, problem: undefined };
  } catch (thrown) {
    if (!(thrown instanceof TreeFault)) throw thrown;
    return { tree: undefined, problem: thrown.message };
  }
}

class TreeFault extends Error {}

class TreeReader {
  readonly seen = new Set<number>();
  readonly #tokens: readonly string[];
  readonly #labels: ReadonlySet<number>;
  #position = 0;

  constructor(tokens: readonly string[], labels: ReadonlySet<number>) {
    this.#tokens = tokens;
    this.#labels = labels;
  }

  readWhole(): ConditionTree {
    if (this.#tokens.length === 0) throw new TreeFault('The structure is empty: write something like 1 AND (2 OR 3).');
    const tree = this.#readOr(0);
    const rest = this.#tokens[this.#position];
    if (rest === ')') throw new TreeFault('A bracket is closed that was never opened.');
    if (rest !== undefined) throw new TreeFault(`AND or OR is missing before \`${rest.slice(0, 40)}\`.`);
    return tree;
  }

  #readOr(depth: number): ConditionTree {
    return this.#readChain('or', () => this.#readChain('and', () => this.#readOne(depth)));
  }

  #readChain(kind: 'and' | 'or', read: () => ConditionTree): ConditionTree {
    const first = read();
    const operands = [first];
    while (this.#tokens[this.#position]?.toLowerCase() === kind) {
      this.#position += 1;
      operands.push(read());
    }
    return operands.length === 1 ? first : { kind, operands };
  }

  #readOne(depth: number): ConditionTree {
    const token = this.#tokens[this.#position];
    this.#position += 1;
    if (token === undefined) throw new TreeFault('The structure ends too early: a condition is missing at its end.');
    if (token === '(') {
      if (depth >= MAX_DEPTH) throw new TreeFault(`There are more than ${MAX_DEPTH} brackets inside each other.`);
      const tree = this.#readOr(depth + 1);
      if (this.#tokens[this.#position] !== ')') throw new TreeFault('A bracket is opened and never closed.');
      this.#position += 1;
      return tree;
    }
    if (!/^\d+$/.test(token))
      throw new TreeFault(`\`${token.slice(0, 40)}\` stands where the number of a condition belongs.`);
    const label = Number(token);
    if (!this.#labels.has(label))
      throw new TreeFault(
        `There is no condition ${token.slice(0, 20)}: the conditions are ${[...this.#labels].join(', ')}.`,
      );
    if (this.seen.has(label)) throw new TreeFault(`Condition ${label} stands twice: each stands once.`);
    this.seen.add(label);
    return { kind: 'condition', action: label - 1 };
  }
}
