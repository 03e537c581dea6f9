import { describe, expect, it } from 'vitest';
import { AskemaError } from '../errors/askema-error.ts';
import type { RunEvent } from '../events/run-event.ts';
import { systemRuntime } from '../ports/system-runtime.ts';
import { createFlow } from './create-flow.ts';
import { defineStep } from './define-step.ts';
import { memoryJournal } from './memory-journal.ts';
import { end } from './routes.ts';
import { createRunLife, type LiveRun, type RunLifeOptions } from './run-life.ts';

interface State {
  question: string;
  words: string[];
}
interface Deps {
  answer(question: string): Promise<string>;
}

const write = defineStep<State, Deps>()({
  name: 'write',
  prep: ({ question }) => question,
  exec: (question, { deps }) => deps.answer(`write ${question}`),
  post: (state, _question, word) => void state.words.push(word),
});
const check = defineStep<State, Deps>()({
  name: 'check',
  prep: ({ question }) => question,
  exec: (question, { deps }) => deps.answer(`check ${question}`),
  post: (state, _question, word) => void state.words.push(word),
});
const flow = createFlow<State, Deps>({ name: 'ask' })
  .step(write, { default: 'check' })
  .step(check, { default: end })
  .build();

const lifeOf = (more: Partial<RunLifeOptions<State, Deps>> = {}) =>
  createRunLife<State, Deps>({
    flow,
    journal: undefined,
    runtime: systemRuntime({ clock: { now: () => 7 } }),
    owner: 'createAsker',
    checkSame: (begun, asked) => {
      if (begun.question !== asked.question) throw new AskemaError('INPUT_INVALID', 'another question');
    },
    ...more,
  });

/** A run whose answers fail for questions that hold one of these words. */
function runOf(failing = '', more: Partial<LiveRun<State, Deps>> = {}) {
  const asked: string[] = [];
  const answer = async (question: string) => {
    asked.push(question);
    if (failing !== '' && question.startsWith(failing)) throw new Error('down');
    return question;
  };
  const run: LiveRun<State, Deps> = { runId: 'r', open: () => ({ answer }), listeners: [], ...more };
  return { run, asked };
}

const start = (): State => ({ question: 'Who?', words: [] });
const NAMED = { isNamed: true };

describe('a run', () => {
  it('ends with its state and its action', async () => {
    const { run } = runOf();
    expect(await lifeOf().begin(start(), run, NAMED)).toEqual({
      runId: 'r',
      state: { question: 'Who?', words: ['write Who?', 'check Who?'] },
      action: 'default',
      error: undefined,
      request: undefined,
      startedAt: 7,
    });
  });

  it('that breaks off ends with the error, and with what it had found until then', async () => {
    const { run } = runOf('check');
    const ended = await lifeOf().begin(start(), run, NAMED);
    expect(ended).toMatchObject({
      state: { words: ['write Who?'] },
      action: undefined,
      error: { message: 'Step `check` failed in exec: down' },
    });
  });

  it('whose dependencies cannot be opened ends with that error', async () => {
    const open = () => {
      throw new AskemaError('DATABASE_CLOSED', 'closed');
    };
    const ended = await lifeOf().begin(start(), runOf('', { open }).run, NAMED);
    expect(ended).toMatchObject({ state: { question: 'Who?', words: [] }, error: { code: 'DATABASE_CLOSED' } });
  });

  it('tells every listener, whatever the others do', async () => {
    const seen: string[] = [];
    const listeners = [
      () => {
        throw new Error('listener');
      },
      () => Promise.reject(new Error('listener')) as unknown as undefined,
      undefined,
      ({ type }: { readonly type: string }) => void seen.push(type),
    ];
    await lifeOf().begin(start(), runOf('', { listeners }).run, NAMED);
    expect([seen.at(0), seen.at(-1)]).toEqual(['run-started', 'run-finished']);
  });
});

describe('the events of a run', () => {
  const toldOf = async (more: Partial<RunLifeOptions<State, Deps>>, failing?: AskemaError) => {
    const told: unknown[] = [];
    const listeners = [(event: RunEvent) => void ('outcome' in event && told.push([event.type, event.outcome]))];
    const open = () => ({ answer: () => (failing === undefined ? Promise.resolve('a') : Promise.reject(failing)) });
    await lifeOf(more).begin(start(), { ...runOf('', { listeners }).run, open }, NAMED);
    return told;
  };
  const outcomeOf = ({ words }: Readonly<State>, action: string) => `${words.length} words, ${action}`;

  it('tell the outcome: of its last state, or of the error that broke it off', async () => {
    expect(await toldOf({ outcomeOf })).toEqual([['run-finished', '2 words, default']]);
    for (const [code, outcome] of [
      ['ABORTED', 'cancelled'],
      ['BUDGET_EXCEEDED', 'budgetExceeded'],
      ['MODEL_CONTENT_FILTERED', 'refused'],
      ['QUERY_FAILED', 'failed'],
    ] as const)
      expect(await toldOf({ outcomeOf }, new AskemaError(code, 'no'))).toEqual([['run-failed', outcome]]);
  });

  it('tell none where the flow knows of none', async () => {
    expect(await toldOf({})).toEqual([]);
  });
});

describe('a recorded run', () => {
  it('goes on, asked again under its id or resumed, and opens from the state that it began with', async () => {
    const journal = memoryJournal();
    const life = lifeOf({ journal });
    expect((await life.begin(start(), runOf('check').run, NAMED)).error).toBeDefined();
    const opened: unknown[] = [];
    const { run, asked } = runOf();
    const open: typeof run.open = (state) => {
      opened.push(state);
      return run.open(state);
    };
    expect((await life.resume({ ...run, open })).state.words).toEqual(['write Who?', 'check Who?']);
    expect((await life.begin(start(), { ...run, open }, NAMED)).action).toBe('default');
    expect(asked).toEqual(['check Who?']);
    expect(opened).toEqual([start(), start()]);
  });

  it('is not taken up under an id that nobody chose', async () => {
    const life = lifeOf({ journal: memoryJournal() });
    await life.begin(start(), runOf().run, NAMED);
    const ended = await life.begin(start(), runOf().run, { isNamed: false });
    expect(ended.error).toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('of another question is refused', async () => {
    const life = lifeOf({ journal: memoryJournal() });
    await life.begin(start(), runOf().run, NAMED);
    await expect(life.begin({ ...start(), question: 'Where?' }, runOf().run, NAMED)).rejects.toThrow(
      'another question',
    );
  });

  it.each([
    ['another version', { flow: flow.with({ version: 2 }) }, 'flow `ask@1`, and this is `ask@2`'],
    ['a state of another form', { fits: () => false }, 'another form'],
  ] as const)('of %s ends with FLOW_CHANGED, unread', async (_name, changed, message) => {
    const journal = memoryJournal();
    await lifeOf({ journal }).begin(start(), runOf('check').run, NAMED);
    const life = lifeOf({ journal, ...changed, standIn: () => ({ question: 'stand-in', words: [] }) });
    const { run, asked } = runOf();
    const error = { code: 'FLOW_CHANGED', message: expect.stringContaining(message) };
    expect(await life.resume(run)).toMatchObject({ state: { question: 'stand-in' }, error });
    expect(await life.begin(start(), run, NAMED)).toMatchObject({ state: { question: 'Who?' }, error });
    expect(asked).toEqual([]);
  });

  it('that cannot be read is an end of the run that is asked for, and an error for who resumes', async () => {
    const read = () => Promise.reject(new AskemaError('JOURNAL_INVALID', 'line 3'));
    const life = lifeOf({ journal: { ...memoryJournal(), read } });
    expect(await life.begin(start(), runOf().run, NAMED)).toMatchObject({ error: { code: 'JOURNAL_INVALID' } });
    await expect(life.resume(runOf().run)).rejects.toMatchObject({ code: 'JOURNAL_INVALID' });
  });

  it('that is not there is told to who resumes', async () => {
    await expect(lifeOf().resume(runOf().run)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('createAsker'),
    });
    await expect(lifeOf({ journal: memoryJournal() }).resume(runOf().run)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
  });
});
