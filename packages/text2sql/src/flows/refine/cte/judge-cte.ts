import { defineStep, type StepContext } from '@askema/core';
import { cleanSql } from '../../../prompts/clean-sql.ts';
import { askOrUnusable, type TaskAnswer } from '../../../question/question-input.ts';
import { type CteWork, LOOKS_PER_STEP, nextStep, PROBES_PER_LOOK } from '../state/cte-work.ts';
import type { RefineThreadState, ResultDoubt } from '../state/refine-state.ts';
import type { JudgeCteOutput } from '../tasks/judge-cte.ts';
import type { RefineDeps } from '../tasks/refine-tasks.ts';
import { isImplausibleBy } from '../thread/result-doubts.ts';
import { promptInput, readThread, spendInThread, type ThreadInput } from '../thread/thread-input.ts';
import { cteStatement } from './cte-statement.ts';
import { answerByCte, cteEvent, giveUp, settleLast } from './cte-trace.ts';
import { applyChange, proposeChange, type StepChange, sectionsOf } from './mend-cte.ts';

/** What {@link judgeCte} starts from. */
export interface JudgeCteStart extends ThreadInput {
  readonly work: CteWork | undefined;
  /** Of the whole statement's result. */
  readonly doubts: readonly ResultDoubt[];
  readonly maxProbes: number;
}

/** A verdict, with what a new text would change. */
export type CteJudgement = TaskAnswer<
  Pick<JudgeCteOutput, 'verdict' | 'problem' | 'probes'> & {
    readonly change: StepChange | null;
    readonly isFinal: boolean;
  }
>;

/**
 * Shows the model what one step gave, with its figures, and takes its verdict: on to the next step (`next`), a new text
 * for this step or for one that it reads (`look`: run from there on), statements to find out more (`probe`), or the
 * end.
 */
export const judgeCte = defineStep<RefineThreadState, RefineDeps>()({
  name: 'judge-cte',
  actions: ['next', 'look', 'mend', 'probe', 'answered', 'unresolved'],
  prep: (state): JudgeCteStart => ({
    ...readThread(state),
    work: state.cte,
    doubts: state.attempts.at(-1)?.doubts ?? [],
    maxProbes: mayProbe(state) ? PROBES_PER_LOOK : 0,
  }),
  exec: (input, context): Promise<CteJudgement> => judge(input, context),
  post: (state, { maxProbes }, judged) => {
    const work = state.cte;
    spendInThread(state, judged.spent);
    if (work === undefined) return giveUp(state);
    state.cte = { ...work, calls: work.calls + judged.spent.calls };
    if (judged.type === 'unusable') return giveUp(state);
    const { verdict, problem, probes, change, isFinal } = judged.value;
    if (isFinal && verdict !== 'look') review(state, verdict === 'right', problem);
    switch (verdict) {
      case 'right':
        return isFinal ? acceptAnswer(state) : goOn(state, 'ok');
      case 'wrong':
        return applyChange(state, change, problem.trim());
      case 'look': {
        const wanted = newProbes(state.cte, probes, maxProbes);
        if (wanted.length > 0) {
          state.cte = { ...state.cte, wantedProbes: wanted, looks: work.looks + 1 };
          return 'probe';
        }
        return isFinal ? giveUp(state, problem.trim() || 'It stayed undecided.') : goOn(state, 'unjudged');
      }
    }
  },
});

/** One call is needed behind the probes. */
function mayProbe({ cte, plan }: Readonly<RefineThreadState>): boolean {
  return (cte?.looks ?? 0) < LOOKS_PER_STEP && (cte?.calls ?? 0) + 1 < plan.limits.maxCteCalls;
}

function newProbes(work: CteWork, probes: readonly string[], most: number): readonly string[] {
  const known = new Set(work.probes.map(({ sql }) => sql));
  const cleaned = probes.map(cleanSql).filter((sql) => sql !== '' && !known.has(sql));
  return [...new Set(cleaned)].slice(0, most);
}

function goOn(state: RefineThreadState, verdict: 'ok' | 'unjudged'): 'next' {
  state.cteTrace = settleLast(state.cteTrace, { verdict });
  if (state.cte !== undefined) state.cte = nextStep(state.cte, verdict === 'ok');
  return 'next';
}

/** What the model said of the answer stands with the attempt as well. */
function review(state: RefineThreadState, isRight: boolean, problem: string): void {
  const last = state.attempts.at(-1);
  if (last === undefined) return;
  const problems = problem.trim() === '' ? [] : [problem.trim()];
  const reviews = [...(last.reviews ?? []), { isRight, isSame: isRight, problems: isRight ? [] : problems }];
  state.attempts[state.attempts.length - 1] = { ...last, reviews };
}

/**
 * An empty or blank answer needs more than a word: steps that were looked at before it, or a statement that looked
 * further.
 */
function acceptAnswer(state: RefineThreadState): 'answered' | 'unresolved' {
  const { cte, plan } = state;
  if (!isImplausibleBy(state.attempts.at(-1)?.doubts ?? [])) return answerByCte(state);
  const isChecked = (cte?.position ?? 0) > 0 || (cte?.probes ?? []).some(({ error }) => error === undefined);
  if (plan.rules.implausible === 'confirmed' && isChecked) return answerByCte(state);
  return giveUp(state, 'The answer is empty or blank, and nothing confirms that.');
}

async function judge(input: JudgeCteStart, context: StepContext<RefineDeps>): Promise<CteJudgement> {
  const { deps } = context;
  const { work, thread, maxProbes } = input;
  const { lexer } = deps.adapter.dialect;
  const statement = cteStatement(work?.sql ?? '', lexer);
  const position = work?.position ?? 0;
  const isFinal = position >= statement.split.ctes.length;
  const name = statement.steps[position]?.name ?? '';
  const asked = await askOrUnusable(async () => {
    const task = {
      ...(await promptInput(input, context)),
      ...sectionsOf(statement, work, lexer),
      looked: work?.looked[position] ?? { figures: '', view: '' },
      isFinal,
      doubts: isFinal ? input.doubts : [],
      probes: work?.probes ?? [],
      maxProbes,
    };
    return deps.own.solverOf('cte', thread).solve(deps.own.tasks.judgeCte, task, context);
  });
  if (asked.type === 'unusable') return asked;
  const { verdict, problem, probes } = asked.value;
  const change = verdict === 'wrong' ? proposeChange(statement, position, asked.value, lexer) : null;
  context.emit(cteEvent({ name, number: position + 1, of: statement.steps.length }, { verdict, problem }));
  return { ...asked, value: { verdict, problem, probes, change, isFinal } };
}
