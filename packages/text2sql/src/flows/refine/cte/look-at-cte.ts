import { defineStep, type QueryResult, type SerializedError, type StepContext } from '@askema/core';
import { resultView, VIEW_LIMITS } from '../../../prompts/result-view.ts';
import { alignStatement } from '../../../steps/align-statement.ts';
import { queryStatement } from '../../../steps/query-statement.ts';
import { type AlignedStatement, keepReadAs } from '../../../steps/read-as.ts';
import { isRefusal, statementError, viewResultOf } from '../../../steps/view-result.ts';
import type { CteProbe, LookedStep } from '../state/cte-work.ts';
import type { RefineThreadState } from '../state/refine-state.ts';
import type { RefineDeps } from '../tasks/refine-tasks.ts';
import { doubtRules, resultDoubts } from '../thread/result-doubts.ts';
import { type CteProfile, countProfile, profileOf, profileText } from './cte-profile.ts';
import { type CteStatement, cteStatement, prefixWith, viewStatement } from './cte-statement.ts';
import { answerByCte, cteEvent, giveUp, mayAsk, settleLast } from './cte-trace.ts';

/** What became of one step. */
export type CteLook = {
  readonly prefixSql: string;
  readonly name: string;
  /** Statements that were sent. */
  readonly statements: number;
  readonly aligned?: AlignedStatement | undefined;
} & (
  | { readonly type: 'error'; readonly error: SerializedError }
  | {
      readonly type: 'gave';
      readonly looked: LookedStep;
      readonly rows: number | null;
      readonly distinctRows: number | undefined;
      /** Of the SELECT behind the CTEs: the answer, whole. */
      readonly answer: QueryResult | null;
    }
);

/**
 * Runs the statement up to the step at hand, always as one that reads: a view of its first rows and, where that is not
 * all, one statement that counts. The last step is the whole statement, under the caps of an answer. An error needs no
 * judge: it is mended (`mend`). With `alignValues` it runs with the values that are stored.
 */
export const lookAtCte = defineStep<RefineThreadState, RefineDeps>()({
  name: 'look-at-cte',
  actions: ['judge', 'mend', 'answered', 'unresolved'],
  prep: (state) => ({ sql: state.cte?.sql ?? '', position: state.cte?.position ?? 0 }),
  exec: ({ sql, position }, context): Promise<CteLook> => look(sql, position, context),
  post: (state, { sql: written }, seen) => {
    if (state.cte === undefined) return giveUp(state);
    const sql = seen.aligned?.sql ?? written;
    const work = { ...state.cte, sql };
    keepReadAs(state, seen.aligned);
    state.executions += seen.statements;
    const base = { round: work.round, cte: seen.name, prefixSql: seen.prefixSql, verdict: 'unjudged' as const };
    if (seen.type === 'error') {
      const { error } = seen;
      state.cteTrace = [...state.cteTrace, { ...base, rows: null, error }];
      state.cte = { ...work, fault: { type: 'error', error } };
      if (isRefusedAgain(state, error)) return giveUp(state, 'The database refuses it.');
      return mayAsk(state) ? 'mend' : giveUp(state, 'It failed, and no model call is left to mend it.');
    }
    const { rows, distinctRows, looked, answer } = seen;
    state.cteTrace = [...state.cteTrace, { ...base, rows, distinctRows }];
    state.cte = { ...work, looked: [...work.looked.slice(0, work.position), looked] };
    if (answer === null) return mayAsk(state) ? 'judge' : giveUp(state);
    const doubts = resultDoubts(answer, doubtRules(state));
    state.attempts.push({ sql, stage: 'cte', result: answer, doubts });
    if (mayAsk(state)) return 'judge';
    // Every step before it was found right, and nothing speaks against the whole.
    const wasJudged = work.position > 0 && work.undecided.length === 0;
    return wasJudged && doubts.length === 0 ? answerByCte(state) : giveUp(state);
  },
});

/** The thread came here because the database refused its statements, and the model was told. */
function isRefusedAgain({ ending }: Pick<RefineThreadState, 'ending'>, { code }: SerializedError): boolean {
  return isRefusal(code) && ending?.type === 'failed' && isRefusal(ending.error.code);
}

async function look(sql: string, position: number, context: StepContext<RefineDeps>): Promise<CteLook> {
  const { lexer } = context.deps.adapter.dialect;
  const aligned = await alignStatement(sql, context);
  const statement = cteStatement(aligned?.sql ?? sql, lexer);
  const isFinal = position >= statement.split.ctes.length;
  const name = statement.steps[position]?.name ?? '';
  const seen = await (isFinal ? runWhole(statement, name, context) : runPrefix(statement, position, name, context));
  const place = { name, number: position + 1, of: statement.steps.length };
  if (seen.type === 'error') context.emit(cteEvent(place, { verdict: 'failed', problem: seen.error.message }));
  else context.emit(cteEvent(place, { rows: seen.rows, distinctRows: seen.distinctRows }));
  return aligned === undefined ? seen : { ...seen, aligned };
}

async function runWhole({ sql }: CteStatement, name: string, context: StepContext<RefineDeps>): Promise<CteLook> {
  const base = { prefixSql: sql, name, statements: 1 };
  try {
    const answer = await queryStatement(sql, { ...context.deps.limits, access: 'read' }, context);
    const profile = profileOf(answer);
    const looked = { name, figures: profileText(profile), view: resultView(answer) };
    return { ...base, type: 'gave', looked, rows: profile.rows, distinctRows: profile.distinctRows, answer };
  } catch (thrown) {
    return { ...base, type: 'error', error: statementError(thrown).toJSON() };
  }
}

async function runPrefix(
  statement: CteStatement,
  position: number,
  name: string,
  context: StepContext<RefineDeps>,
): Promise<CteLook> {
  const { adapter, limits } = context.deps;
  const { lexer } = adapter.dialect;
  const prefixSql = viewStatement(statement, position, lexer);
  const base = { prefixSql, name };
  let view: QueryResult;
  try {
    const maxRows = Math.min(VIEW_LIMITS.maxRows, limits.maxRows);
    view = await adapter.query(prefixSql, { ...limits, maxRows, access: 'read', context });
  } catch (thrown) {
    return { ...base, statements: 1, type: 'error', error: statementError(thrown).toJSON() };
  }
  const isWhole = view.truncated === undefined;
  const counted: { profile?: CteProfile; statements: number } = isWhole
    ? { profile: profileOf(view), statements: 0 }
    : await countProfile({
        adapter,
        timeoutMs: limits.timeoutMs,
        context,
        columns: view.columns,
        statement: (select) => prefixWith(statement, position, lexer, select),
      });
  const { profile } = counted;
  const figures = profile === undefined ? 'Its rows could not be counted in time.' : profileText(profile);
  return {
    ...base,
    statements: 1 + counted.statements,
    type: 'gave',
    looked: { name, figures, view: resultView(view) },
    rows: profile?.rows ?? null,
    distinctRows: profile?.distinctRows,
    answer: null,
  };
}

/**
 * Runs what the model wants to see before it judges a step: few statements, each one that reads, each cut to a view.
 */
export const probeCte = defineStep<RefineThreadState, RefineDeps>()({
  name: 'probe-cte',
  prep: (state) => state.cte?.wantedProbes ?? [],
  exec: async (wanted, context): Promise<readonly CteProbe[]> => {
    const probes: CteProbe[] = [];
    for (const sql of wanted) probes.push(await probe(sql, context));
    return probes;
  },
  post: (state, wanted, probes) => {
    state.executions += wanted.length;
    if (state.cte === undefined) return;
    state.cte = { ...state.cte, probes: [...state.cte.probes, ...probes], wantedProbes: [] };
    state.cteTrace = settleLast(state.cteTrace, { probes: state.cte.probes.map(({ sql }) => sql) });
  },
});

async function probe(sql: string, context: StepContext<RefineDeps>): Promise<CteProbe> {
  const viewed = await viewResultOf(sql, context);
  return viewed.type === 'view' ? { sql, view: viewed.view } : { sql, error: viewed.error.message };
}
