import { AskemaError, type Dialect, defineStep, type StepContext } from '@askema/core';
import { askOrUnusable } from '../../refine/thread/thread-input.ts';
import { type AskedInput, catalogOf, readAsked, recordCost, type Spent, sqlInput } from '../../steps/sql-input.ts';
import type { ConnectConditionsOutput } from '../../tasks/connect-conditions.ts';
import type { Text2SqlDeps } from '../../text2sql-deps.ts';
import type { Text2SqlState } from '../../text2sql-state.ts';
import { assembleSequence } from '../inspect-sequence.ts';
import type { ActionSequence, InspectTry, SubAnswer } from '../inspect-state.ts';
import { type ConnectedConditions, looseClauses, readStructures } from '../loose-clauses.ts';
import { NOTHING_SPENT } from '../sum-spent.ts';

export interface ConnectStart {
  readonly asked: AskedInput;
  readonly tried: InspectTry;
}

/** The statement with its conditions connected. */
export interface Connected {
  readonly sql: string;
  readonly spent: Spent;
  readonly warnings: readonly string[];
}

/**
 * Asks how conditions are connected (Tool-SQL, section 2.3: AND and OR are left to the model, last), only where a clause of the statement that stands has
 * several and its actions do not say it. Otherwise nobody is asked. What cannot be read leaves them connected by AND.
 */
export const connectConditions = defineStep<Text2SqlState, Text2SqlDeps>()({
  name: 'connect-conditions',
  prep: (state): ConnectStart => ({ asked: readAsked(state), tried: chosenTry(state) }),
  exec: (start, context): Promise<Connected> => connect(start, context),
  post: (state, _start, { sql, spent, warnings }) => {
    recordCost(state, spent);
    state.warnings.push(...warnings);
    state.generatedSql = sql;
  },
});

function chosenTry({ inspect }: Pick<Text2SqlState, 'inspect'>): InspectTry {
  const tried = inspect.tries[inspect.chosen ?? -1];
  if (tried !== undefined) return tried;
  throw new AskemaError('INTERNAL', 'No sequence stands yet; `inspect-actions` has to come first.');
}

async function connect({ asked, tried }: ConnectStart, context: StepContext<Text2SqlDeps>): Promise<Connected> {
  const loose = looseClauses(tried);
  if (loose.length === 0) return { sql: tried.sql, spent: NOTHING_SPENT, warnings: [] };
  const { deps } = context;
  const answer = await askOrUnusable<ConnectConditionsOutput>(async () => {
    const prompt = { ...(await sqlInput(asked, deps, context)), allowWrite: false };
    const input = { ...prompt, clauses: loose.map(({ shown }) => shown) };
    return deps.inspect.solverOf('connect').solve(deps.tasks.connectConditions, input, context);
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
