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
 * How the conditions of each clause are combined. The tree is undefined, and somebody has to be asked, where a condition other than the first
 * has no link, or where AND and OR stand side by side and no group says what belongs together.
 */
export function conditionTrees(actions: readonly ClauseAction[]): readonly ClauseConditions[] {
  return conditionClauses(actions).map(({ conditions, ...clause }) => ({
    ...clause,
    actions: conditions.map(({ index }) => index),
    tree: isStated(conditions) ? treeOf(conditions) : undefined,
  }));
}

/**
 * The tree that the assembler takes where nobody was asked: AND where a link is missing, AND before OR, groups together; as SQL would read it.
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
