import { GENERATE_SQL_TASK_ID, type Journal, type JournalEntry, memoryJournal, type Solver } from '@askema/core';
import { scriptedModel } from '@askema/testkit';
import { describe, expect, it } from 'vitest';
import { createText2Sql } from './create-text2sql.ts';
import { scriptedAdapter } from './fixtures/scripted-adapter.ts';
import { scriptedSolver } from './fixtures/scripted-solver.ts';
import { auto } from './flows/auto/auto.ts';
import { reviseSqlTask } from './flows/auto/tasks/revise-sql.ts';
import { direct } from './flows/direct/direct.ts';
import { inspect } from './flows/inspect/inspect.ts';
import { GENERATE_ACTIONS_TASK_ID } from './flows/inspect/tasks/generate-actions.ts';
import { plain } from './flows/plain/plain.ts';
import { react } from './flows/react/react.ts';
import { refine } from './flows/refine/refine.ts';
import { REFINE_SQL_TASK_ID } from './flows/refine/tasks/refine-sql.ts';
import { type Text2SqlFlow, text2SqlFlow } from './question/flow-spec.ts';

const FLOWS = { plain, auto, refine, inspect, react, direct };
const NAMES = Object.keys(FLOWS) as (keyof typeof FLOWS)[];
const model = scriptedModel([]);
const adapter = () => scriptedAdapter(() => [[1]], { access: 'write' });
/** What could be thought to slip past a check: a copy, and the flow with other steps under another name. */
const variantsOf = (flow: Text2SqlFlow): readonly Text2SqlFlow[] => [
  flow,
  { ...flow },
  { ...flow, flow: (flow as ReturnType<typeof plain>).flow.with({ name: 'mine' }) },
];

describe.each(NAMES)('the flow %s', (name) => {
  const flow: Text2SqlFlow = FLOWS[name]();

  it('is refused with access: write exactly where it only reads', () => {
    const reads = name === 'refine' || name === 'inspect' || name === 'auto';
    for (const one of variantsOf(flow)) {
      const create = (access: 'read' | 'write') => createText2Sql({ adapter: adapter(), model, flow: one, access });
      expect(() => create('read')).not.toThrow();
      if (reads)
        expect(() => create('write')).toThrow(
          expect.objectContaining({
            code: 'CONFIG_INVALID',
            message: `The flow \`${one.flow.name}\` only reads, and \`access\` is write. Leave \`access\` out, or pass a flow that may write.`,
          }),
        );
      else expect(() => create('write')).not.toThrow();
    }
  });

  it('takes a solver exactly where it can do what the flow needs', () => {
    const task = {
      plain: GENERATE_SQL_TASK_ID,
      auto: reviseSqlTask.id,
      refine: REFINE_SQL_TASK_ID,
      inspect: GENERATE_ACTIONS_TASK_ID,
    }[name as string];
    const others = name === 'auto' ? [GENERATE_SQL_TASK_ID] : [];
    const solver = (supports: Solver['supports']) => scriptedSolver([], { supports });
    for (const one of variantsOf(flow)) {
      const create = (of: Solver) => createText2Sql({ adapter: adapter(), model: of, flow: one });
      expect(() => create(solver((id) => id !== task && task !== undefined))).toThrow(
        expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining(task ?? 'language model') }),
      );
      if (task === undefined) expect(() => create(solver(() => true))).toThrow(/talks to a language model/);
      else expect(() => create(solver((id) => id === task || others.includes(id)))).not.toThrow();
    }
  });
});

const REFINE =
  'plan.preset plan.stages.format plan.stages.exploration plan.stages.profile plan.stages.inspection plan.stages.consistency plan.stages.cte plan.stages.choose plan.limits.threads plan.limits.concurrency plan.limits.maxIterations plan.limits.maxEmptyInARow plan.limits.agreements plan.limits.maxCteRewrites plan.limits.maxCteCalls plan.limits.maxExpansions plan.limits.sureFrom plan.rules.implausible plan.rules.review plan.rules.blankColumns plan.rules.extraColumns plan.rules.format plan.rules.agreement plan.rules.perspectives plan.rules.conversation plan.rules.earlyEnd exploration.minProbes exploration.maxAsks exploration.maxProbes exploration.maxResults exploration.maxCorrections exploration.maxFailuresInARow exploration.minOutcomes exploration.revisedShare exploration.viewRows exploration.viewBytes exploration.maxBytes exploration.maxModelCalls exploration.maxMs exploration.statementTimeoutMs exploration.repair exploration.ctes inspection.stages.retriever inspection.stages.detector inspection.stages.planner inspection.stages.engineErrors inspection.limits.nearestCells inspection.limits.elsewhere inspection.limits.maxConditions inspection.limits.retrieverTimeoutMs inspection.severities format profile threads decision chosen brokenOff';

/** The slice with which each flow begins: fields of fields, for whom its version stands. */
const SHAPES: Readonly<Record<keyof typeof FLOWS, readonly [version: number, fields: string]>> = {
  plain: [3, ''],
  direct: [2, ''],
  react: [3, 'maxTurns messages turns pending lastGoodSql'],
  inspect: [
    3,
    'plan.stages.retriever plan.stages.detector plan.stages.planner plan.stages.engineErrors plan.limits.maxInspections plan.limits.maxDepth plan.limits.maxSubQuestions plan.limits.maxTurns plan.limits.maxFindingsShown plan.limits.nearestCells plan.limits.elsewhere plan.limits.maxConditions plan.limits.retrieverTimeoutMs plan.actions plan.reviseFrom plan.hideTriedColumns plan.severities sequence decisions keeps tries base iterations chosen',
  ],
  refine: [4, REFINE],
  auto: [
    3,
    `${REFINE} limits.revisions limits.attempts limits.refinements doubtFrom isFirst doubts signals isKept revisions attempts agreed refinements before`,
  ],
};

function fieldsOf(value: unknown, path: readonly string[] = []): readonly string[] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const fields = isObject ? Object.entries(value) : [];
  if (fields.length === 0) return path.length === 0 ? [] : [path.join('.')];
  return fields.flatMap(([name, field]) => fieldsOf(field, [...path, name]));
}

describe('recorded runs', () => {
  // Who changes a slice raises the version of its flow as well: recorded runs of the old form are refused, not misread.
  it.each(NAMES)('of %s have the form that its version stands for', (name) => {
    const flow: Text2SqlFlow = FLOWS[name]();
    expect([flow.flow.version, fieldsOf(flow.begin()).join(' ')]).toEqual(SHAPES[name]);
  });

  /** A run of the plain flow that failed, with another first entry. */
  async function recorded(change: (run: Extract<JournalEntry, { kind: 'run' }>) => object): Promise<Journal> {
    const journal = memoryJournal();
    const down = scriptedSolver([new Error('offline')]);
    await createText2Sql({ adapter: adapter(), model: down, journal }).ask('Who?', { runId: 'r1' });
    const entries = (await journal.read('r1')).map((entry) =>
      entry.kind === 'run' ? ({ ...entry, ...change(entry) } as JournalEntry) : entry,
    );
    const opened = { entries, append: () => Promise.resolve(), close: () => Promise.resolve() };
    return { runIds: async () => ['r1'], read: async () => entries, open: async () => opened };
  }

  const stateOf = (run: { readonly state: unknown }) => run.state as Readonly<Record<string, unknown>>;

  it.each([
    ['of an earlier version', () => ({ version: 1 }), '`plain@1`, and this is `plain@3`'],
    ['of another flow', () => ({ flow: 'planar' }), '`planar@3`'],
    ['with another slice', (run) => ({ state: { ...stateOf(run), flow: { attempts: 1 } } }), 'another form'],
    ['without a slice', (run) => ({ state: { ...stateOf(run), flow: undefined, refine: {} } }), 'another form'],
    ['with a field less', (run) => ({ state: { ...stateOf(run), schemaIsPartial: undefined } }), 'another form'],
  ] satisfies [string, Parameters<typeof recorded>[0], string][])(
    '%s are refused with FLOW_CHANGED, and nobody is asked',
    async (_name, change, message) => {
      const journal = await recorded(change);
      const solver = scriptedSolver(['SELECT 1']);
      const text2sql = createText2Sql({ adapter: adapter(), model: solver, journal });
      const outcome = {
        type: 'failed',
        question: 'Who?',
        error: { code: 'FLOW_CHANGED', message: expect.stringContaining(message) },
      };
      expect(await text2sql.resume('r1')).toMatchObject(outcome);
      expect(await text2sql.ask('Who?', { runId: 'r1' })).toMatchObject(outcome);
      expect(solver.asked).toEqual([]);
    },
  );

  it('of this form go on', async () => {
    const journal = await recorded(() => ({}));
    const solver = scriptedSolver(['SELECT 1']);
    const text2sql = createText2Sql({ adapter: adapter(), model: solver, journal });
    expect(await text2sql.resume('r1')).toMatchObject({ type: 'answered', question: 'Who?' });
  });
});

describe('a flow of one’s own', () => {
  it('opens from the slice that was recorded, not from the one of today', async () => {
    const seen: string[] = [];
    const mine = (word: string) => {
      const base = plain();
      return text2SqlFlow({
        ...base,
        flow: base.flow as never,
        begin: () => ({ word }),
        open: (_deps, slice: { readonly word: string }) => {
          seen.push(slice.word);
          return base.open(undefined as never, {});
        },
      }) as Text2SqlFlow;
    };
    const journal = memoryJournal();
    const solver = scriptedSolver([new Error('offline'), 'SELECT 1']);
    const ask = (word: string) => createText2Sql({ adapter: adapter(), model: solver, flow: mine(word), journal });
    await ask('first').ask('Who?', { runId: 'r1' });
    expect(await ask('second').resume('r1')).toMatchObject({ type: 'answered' });
    expect(seen).toEqual(['first', 'first']);
  });
});
