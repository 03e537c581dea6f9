import { AskemaError, type Dialect, defineStep, type StepContext } from '@askema/core';
import {
  askOrUnusable,
  catalogOf,
  NOTHING_SPENT,
  type QuestionData,
  readQuestion,
  recordCost,
  type Spent,
  sqlInput,
} from '../../../question/question-input.ts';
import type { ClauseAction } from '../clauses/clause-action.ts';
import { type ClauseConditions, conditionTrees, parseConditionTree } from '../clauses/condition-tree.ts';
import { describeAction } from '../clauses/describe-action.ts';
import type { ActionSequence, InspectFlowState, InspectTry, SubAnswer } from '../state/inspect-state.ts';
import type { ConnectConditionsOutput, LooseClause } from '../tasks/connect-conditions.ts';
import type { InspectDeps } from '../tasks/inspect-tasks.ts';
import { assembleSequence } from './inspect-sequence.ts';

export interface ConnectStart {
  readonly asked: QuestionData;
  readonly tried: InspectTry;
}

/** The statement with its conditions connected. */
export interface Connected {
  readonly sql: string;
  readonly spent: Spent;
  readonly warnings: readonly string[];
}

/**
 * Asks how conditions are connected (Tool-SQL, section 2.3: AND and OR are left to the model, last), only where a
 * clause of the statement that stands has several and its actions do not say it. Otherwise nobody is asked. What cannot
 * be read leaves them connected by AND.
 */
export const connectConditions = defineStep<InspectFlowState, InspectDeps>()({
  name: 'connect-conditions',
  prep: (state): ConnectStart => ({ asked: readQuestion(state), tried: chosenTry(state) }),
  exec: (start, context): Promise<Connected> => connect(start, context),
  post: (state, _start, { sql, spent, warnings }) => {
    recordCost(state, spent);
    state.warnings.push(...warnings);
    state.generatedSql = sql;
  },
});

function chosenTry({ flow }: Pick<InspectFlowState, 'flow'>): InspectTry {
  const tried = flow.tries[flow.chosen ?? -1];
  if (tried !== undefined) return tried;
  throw new AskemaError('INTERNAL', 'No sequence stands yet; `inspect-actions` has to come first.');
}

async function connect({ asked, tried }: ConnectStart, context: StepContext<InspectDeps>): Promise<Connected> {
  const loose = looseClauses(tried);
  if (loose.length === 0) return { sql: tried.sql, spent: NOTHING_SPENT, warnings: [] };
  const { deps } = context;
  const answer = await askOrUnusable<ConnectConditionsOutput>(async () => {
    const prompt = { ...(await sqlInput(asked, deps, context)), allowWrite: false };
    const input = { ...prompt, clauses: loose.map(({ shown }) => shown) };
    return deps.own.answererOf('connect').solver.solve(deps.own.tasks.connectConditions, input, context);
  });
  if (answer.type === 'unusable') {
    const warning = `The conditions are connected by AND, because it could not be asked how they are: ${answer.error.message}`;
    return { sql: tried.sql, spent: answer.spent, warnings: [warning] };
  }
  const { connected, problems } = readStructures(loose, answer.value);
  const catalog = await catalogOf(asked.catalogFingerprint, deps, context);
  const sql = assembleConnected(tried, connected, { dialect: deps.adapter.dialect, catalog });
  return { sql: sql === '' ? tried.sql : sql, spent: answer.spent, warnings: problems };
}

/** From the innermost sub-question outwards. */
function assembleConnected(
  sequence: ActionSequence,
  connected: readonly ConnectedConditions[],
  options: { readonly dialect: Dialect; readonly catalog: Awaited<ReturnType<typeof catalogOf>> },
): string {
  const answers = Object.entries(sequence.answers).map(([id, answer]): [string, SubAnswer] => {
    const below = connected.flatMap(({ path, tree }) => (path[0] === id ? [{ path: path.slice(1), tree }] : []));
    return [id, below.length === 0 ? answer : { ...answer, sql: assembleConnected(answer, below, options) }];
  });
  const trees = connected.flatMap(({ path, tree }) => (path.length === 0 ? [tree] : []));
  const whole = { actions: sequence.actions, answers: Object.fromEntries(answers) };
  return assembleSequence(whole, { ...options, trees }).sql;
}

/** A clause of a sequence whose conditions have no stated structure. */
interface LooseConditions {
  readonly shown: LooseClause;
  /** The ids of the sub-questions that lead to it; empty for the question itself. */
  readonly path: readonly string[];
  readonly conditions: ClauseConditions;
}

/** How the conditions of a clause are connected, in the sequence that a path of sub-questions leads to. */
interface ConnectedConditions {
  readonly path: readonly string[];
  readonly tree: ClauseConditions;
}

/** Every clause of a sequence and of its sub-questions whose conditions stand side by side (Tool-SQL, section 2.3). */
function looseClauses(sequence: ActionSequence, path: readonly string[] = [], question?: string): LooseConditions[] {
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

/**
 * What a model said of them. A structure that cannot be read is left out, with a sentence that says so: AND stands
 * then.
 */
function readStructures(
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
