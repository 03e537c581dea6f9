import type { AddHaving, AddWhere, ClauseAction, ConditionTree } from './clause-action.ts';

/** The conditions of one WHERE or HAVING. */
export interface ClauseConditions {
  readonly clause: 'where' | 'having';
  /** How many `add_merge` stand before it. */
  readonly segment: number;
  /** Indexes of the actions. */
  readonly actions: readonly number[];
  /** Undefined where the actions do not say how the conditions are combined. */
  readonly tree: ConditionTree | undefined;
}

/**
 * How the conditions of each clause are combined. The tree is undefined, and somebody has to be asked, where a
 * condition other than the first has no link, or where AND and OR stand side by side and no group says what belongs
 * together.
 */
export function conditionTrees(actions: readonly ClauseAction[]): readonly ClauseConditions[] {
  return conditionClauses(actions).map(({ conditions, ...clause }) => ({
    ...clause,
    actions: conditions.map(({ index }) => index),
    tree: isStated(conditions) ? treeOf(conditions) : undefined,
  }));
}

/**
 * The tree that the assembler takes where nobody was asked: AND where a link is missing, AND before OR, groups
 * together; as SQL would read it.
 */
export function defaultConditionTree(
  actions: readonly ClauseAction[],
  indexes: readonly number[],
): ConditionTree | undefined {
  const conditions = indexes.flatMap((index) => {
    const action = actions[index];
    return action?.action === 'add_where' || action?.action === 'add_having' ? [{ index, action }] : [];
  });
  return conditions.length === 0 ? undefined : treeOf(conditions);
}

/** The actions of a tree, from left to right. */
export function actionsOfTree(tree: ConditionTree): readonly number[] {
  const found: number[] = [];
  const open = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'condition') found.push(node.action);
    else open.push(...[...node.operands].reverse());
  }
  return found;
}

interface IndexedCondition {
  readonly index: number;
  readonly action: AddWhere | AddHaving;
}

interface Linked {
  readonly link: 'and' | 'or' | undefined;
  readonly tree: ConditionTree;
}

function conditionClauses(
  actions: readonly ClauseAction[],
): readonly { clause: 'where' | 'having'; segment: number; conditions: IndexedCondition[] }[] {
  const found = new Map<string, { clause: 'where' | 'having'; segment: number; conditions: IndexedCondition[] }>();
  let segment = 0;
  for (const [index, action] of actions.entries()) {
    if (action.action === 'add_merge') segment += 1;
    if (action.action !== 'add_where' && action.action !== 'add_having') continue;
    const clause = action.action === 'add_where' ? 'where' : 'having';
    const key = `${segment} ${clause}`;
    const entry = found.get(key) ?? { clause, segment, conditions: [] };
    entry.conditions.push({ index, action });
    found.set(key, entry);
  }
  return [...found.values()];
}

/** Runs of neighbours of one group; each condition without a group by itself. */
function runsOf(conditions: readonly IndexedCondition[]): readonly IndexedCondition[][] {
  const runs: IndexedCondition[][] = [];
  for (const condition of conditions) {
    const last = runs.at(-1);
    const group = condition.action.group;
    if (last !== undefined && group !== undefined && last[0]?.action.group === group) last.push(condition);
    else runs.push([condition]);
  }
  return runs;
}

function isStated(conditions: readonly IndexedCondition[]): boolean {
  const runs = runsOf(conditions);
  const areStated = (links: readonly ('and' | 'or' | undefined)[]): boolean =>
    !links.slice(1).includes(undefined) && new Set(links.slice(1)).size <= 1;
  const linksOf = (run: readonly IndexedCondition[]) => run.map(({ action }) => action.link);
  return areStated(runs.map(([first]) => first?.action.link)) && runs.every((run) => areStated(linksOf(run)));
}

function treeOf(conditions: readonly IndexedCondition[]): ConditionTree {
  return combine(
    runsOf(conditions).map((run) => ({
      link: run[0]?.action.link,
      tree: combine(
        run.map(({ index, action }) => ({ link: action.link, tree: { kind: 'condition', action: index } })),
      ),
    })),
  );
}

/** AND binds tighter than OR; the link of the first does not count. */
function combine(linked: readonly Linked[]): ConditionTree {
  const alternatives: ConditionTree[][] = [];
  for (const { link, tree } of linked) {
    const last = alternatives.at(-1);
    if (last === undefined || link === 'or') alternatives.push([tree]);
    else last.push(tree);
  }
  return one(
    'or',
    alternatives.map((operands) => one('and', operands)),
  );
}

function one(kind: 'and' | 'or', operands: readonly ConditionTree[]): ConditionTree {
  const [first] = operands;
  return operands.length === 1 && first !== undefined ? first : { kind, operands };
}

export type ParsedConditionTree =
  | { readonly tree: ConditionTree; readonly problem: undefined }
  | { readonly tree: undefined /** For a model that tries again. */; readonly problem: string };

/** More brackets than any question needs; keeps the reader from a deep stack. */
const MAX_DEPTH = 40;

/**
 * Reads how conditions are combined, as a model answers it: `1 AND (2 OR 3)`, where each number is a label. Labels are
 * the actions' indexes plus one, so that a tree's `action` is the label minus one; `labels` are those of the clause.
 * AND binds tighter than OR. Each label must stand exactly once; whatever else stands in the text is a problem.
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
