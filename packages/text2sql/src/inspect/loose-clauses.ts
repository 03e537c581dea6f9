import {
  type ClauseAction,
  type ClauseConditions,
  conditionTrees,
  describeAction,
  parseConditionTree,
} from '@askema/core';
import type { ConnectConditionsOutput, LooseClause } from '../tasks/connect-conditions.ts';
import type { ActionSequence } from './inspect-state.ts';

/** A clause of a sequence whose conditions have no stated structure. */
export interface LooseConditions {
  readonly shown: LooseClause;
  /** The ids of the sub-questions that lead to it; empty for the question itself. */
  readonly path: readonly string[];
  readonly conditions: ClauseConditions;
}

/** How the conditions of a clause are connected, in the sequence that a path of sub-questions leads to. */
export interface ConnectedConditions {
  readonly path: readonly string[];
  readonly tree: ClauseConditions;
}

/** Every clause of a sequence and of its sub-questions whose conditions stand side by side (Tool-SQL, section 2.3). */
export function looseClauses(
  sequence: ActionSequence,
  path: readonly string[] = [],
  question?: string,
): LooseConditions[] {
  const own = conditionTrees(sequence.actions).flatMap((conditions): LooseConditions[] => {
    if (conditions.tree !== undefined) return [];
    const shown: LooseClause = {
      number: 0,
      clause: conditions.clause === 'where' ? 'WHERE' : 'HAVING',
      question,
      // Numbers as `parseConditionTree` wants them.
      conditions: conditions.actions.map((position) => ({
        number: position + 1,
        text: conditionText(sequence.actions[position]),
      })),
    };
    return [{ shown, path, conditions }];
  });
  const below = Object.entries(sequence.answers).flatMap(([id, answer]) =>
    looseClauses(answer, [...path, id], answer.question),
  );
  const all = [...own, ...below];
  return path.length > 0
    ? all
    : all.map((one, position) => ({ ...one, shown: { ...one.shown, number: position + 1 } }));
}

/** What a model said of them. A structure that cannot be read is left out, with a sentence that says so: AND stands then. */
export function readStructures(
  loose: readonly LooseConditions[],
  { structures }: ConnectConditionsOutput,
): { readonly connected: readonly ConnectedConditions[]; readonly problems: readonly string[] } {
  const connected: ConnectedConditions[] = [];
  const problems: string[] = [];
  for (const { shown, path, conditions } of loose) {
    const said = structures.findLast(({ clause }) => clause === shown.number)?.structure;
    const labels = shown.conditions.map(({ number }) => number);
    const read = said === undefined ? undefined : parseConditionTree(said, labels);
    if (read?.tree !== undefined) connected.push({ path, tree: { ...conditions, tree: read.tree } });
    else
      problems.push(
        `The conditions of ${shown.clause} are connected by AND: ${read?.problem ?? 'no structure was given for them.'}`,
      );
  }
  return { connected, problems };
}

function conditionText(action: ClauseAction | undefined): string {
  if (action?.action !== 'add_where' && action?.action !== 'add_having') return '';
  const text = describeAction({ ...action, link: undefined, group: undefined });
  return text.slice(action.action.length + 1, -1);
}
