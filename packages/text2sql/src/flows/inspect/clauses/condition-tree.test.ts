import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClauseAction, ConditionTree } from './clause-action.ts';
import { actionsOfTree, conditionTrees, defaultConditionTree, parseConditionTree } from './condition-tree.ts';

const condition = (link?: 'and' | 'or', group?: number): ClauseAction => ({
  action: 'add_where',
  left: 'x',
  operator: 'is null',
  right: [],
  link,
  group,
});

/** `and(0,or(1,2))` */
function shown(tree: ConditionTree | undefined): string {
  if (tree === undefined) return 'undefined';
  return tree.kind === 'condition' ? String(tree.action) : `${tree.kind}(${tree.operands.map(shown).join(',')})`;
}

describe('conditionTrees', () => {
  it.each<[string, readonly ClauseAction[], string]>([
    ['one', [condition()], '0'],
    ['the link of the first does not count', [condition('or'), condition('and')], 'and(0,1)'],
    ['a chain', [condition(), condition('or'), condition('or')], 'or(0,1,2)'],
    ['a missing link', [condition(), condition()], 'undefined'],
    ['AND and OR side by side', [condition(), condition('and'), condition('or')], 'undefined'],
    ['a group at the end', [condition(), condition('and', 1), condition('or', 1)], 'and(0,or(1,2))'],
    ['a group in front', [condition(undefined, 1), condition('and', 1), condition('or')], 'or(and(0,1),2)'],
    [
      'two groups',
      [condition(undefined, 1), condition('or', 1), condition('and', 2), condition('or', 2)],
      'and(or(0,1),or(2,3))',
    ],
    ['a group that is mixed', [condition(undefined, 1), condition('or', 1), condition('and', 1)], 'undefined'],
    ['a missing link within a group', [condition(), condition('and', 1), condition(undefined, 1)], 'undefined'],
  ])('%s', (_, actions, tree) => {
    expect(conditionTrees(actions).map((entry) => shown(entry.tree))).toEqual([tree]);
  });

  it('each clause of each query by itself', () => {
    const having: ClauseAction = { action: 'add_having', left: 'y', operator: 'is null', right: [] };
    const merge: ClauseAction = { action: 'add_merge', operator: 'union' };
    expect(conditionTrees([condition(), having, condition('or'), merge, condition()])).toMatchObject([
      { clause: 'where', segment: 0, actions: [0, 2] },
      { clause: 'having', segment: 0, actions: [1] },
      { clause: 'where', segment: 1, actions: [4] },
    ]);
  });

  it('without an answer it reads as SQL would: AND where nothing is said, AND before OR', () => {
    const actions = [condition(), condition('or'), condition()];
    expect(shown(defaultConditionTree(actions, [0, 1, 2]))).toBe('or(0,and(1,2))');
  });
});

describe('parseConditionTree', () => {
  it.each([
    ['1', '0'],
    ['1 AND (2 OR 3)', 'and(0,or(1,2))'],
    ['(1 and 2) OR 3', 'or(and(0,1),2)'],
    ['1 OR 2 AND 3', 'or(0,and(1,2))'],
    ['((1))AND(2)', 'and(0,1)'],
  ])('%s', (text, tree) => {
    const labels = [...text.matchAll(/\d/g)].map(Number);
    const parsed = parseConditionTree(text, labels);
    expect(parsed.problem).toBeUndefined();
    expect(shown(parsed.tree)).toBe(tree);
  });

  it.each([
    ['', [1], /empty/],
    ['1 AND 3', [1, 2], /no condition 3.*1, 2/],
    ['1', [1, 2], /Condition 2 is missing/],
    ['1 AND 1', [1], /twice/],
    ['(1 AND 2', [1, 2], /never closed/],
    ['1) AND 2', [1, 2], /never opened/],
    ['1 2', [1, 2], /missing before `2`/],
    ['1 AND', [1], /ends too early/],
    ['NOT 1', [1], /`NOT` stands/],
    ['1 XOR 2', [1, 2], /before `XOR`/],
    ['('.repeat(100), [1], /40 brackets/],
  ])('%s: a clear problem', (text, labels, problem) => {
    const parsed = parseConditionTree(text, labels);
    expect(parsed.tree).toBeUndefined();
    expect(parsed.problem).toMatch(problem);
  });

  it('reads back every tree', () => {
    const { tree } = fc.letrec<{ tree: Pattern }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constant('leaf' as const),
        fc.record({
          kind: fc.constantFrom('and' as const, 'or' as const),
          operands: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
        }),
      ),
    }));
    fc.assert(
      fc.property(tree, (pattern) => {
        const numbered = number(pattern, { next: 0 });
        const labels = actionsOfTree(numbered).map((action) => action + 1);
        const parsed = parseConditionTree(written(numbered), labels);
        expect(shown(parsed.tree)).toBe(shown(numbered));
      }),
    );
  });
});

type Pattern = 'leaf' | { readonly kind: 'and' | 'or'; readonly operands: readonly Pattern[] };

function number(pattern: Pattern, count: { next: number }): ConditionTree {
  if (pattern !== 'leaf')
    return { kind: pattern.kind, operands: pattern.operands.map((operand) => number(operand, count)) };
  count.next += 1;
  return { kind: 'condition', action: count.next - 1 };
}

function written(tree: ConditionTree): string {
  if (tree.kind === 'condition') return String(tree.action + 1);
  return `(${tree.operands.map(written).join(` ${tree.kind.toUpperCase()} `)})`;
}
