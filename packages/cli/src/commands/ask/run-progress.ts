import type { EventSink } from '@askema/core';
import type { ProgressLine } from '../../terminal/progress-line.ts';

/** What steps do, for who waits. One that is not here shows its name. */
const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'read-message': 'reading the message',
    'run-statement': 'executing',
    summarize: 'telling it in sentences',
    'get-schema': 'reading the schema',
    'weigh-readings': 'looking for what the question may mean',
    'ask-first': 'asking what is known',
    'expect-format': 'fixing the expected format',
    'profile-columns': 'profiling columns',
    'explore-columns': 'exploring',
    explore: 'exploring',
    think: 'thinking',
    'answer-sub-questions': 'answering parts of the question',
    'connect-conditions': 'connecting conditions',
    'generate-actions': 'planning',
    'inspect-actions': 'checking the plan',
    'revise-actions': 'changing the plan',
    'generate-direct': 'writing',
    'generate-sql': 'writing',
    'write-sql': 'writing',
    'inspect-statement': 'checking the statement',
    'debug-sql': 'mending the statement',
    execute: 'executing',
    'execute-sql': 'executing',
    review: 'reviewing',
    'check-result': 'checking an empty result',
    'doubt-answer': 'looking for doubts about the answer',
    'revise-answer': 'revising the answer',
    'attempt-again': 'trying once more',
    'keep-answer': 'keeping the answer',
    'settle-answer': 'choosing between answers',
    'expand-schema': 'reading more of the schema',
    'write-ctes': 'writing CTEs',
    'look-at-cte': 'running a CTE',
    'judge-cte': 'judging a CTE',
    'mend-cte': 'mending a CTE',
    'probe-cte': 'looking further into a CTE',
    'choose-answer': 'choosing between answers',
    vote: 'comparing answers',
  }),
);

/** The path of one thread in that of a step of it. */
const THREAD = /^.*?\/threads#\d+\/\d+\//;

/** Shows on the progress line which step runs, in which thread, and how many model calls there were. */
export function createRunProgress(line: ProgressLine): EventSink {
  const threads = new Map<string, string>();
  let words = 'starting';
  let thread: string | undefined;
  let modelCalls = 0;
  const show = (note?: string): void => {
    const calls = `${modelCalls} model ${modelCalls === 1 ? 'call' : 'calls'}`;
    const name = thread === undefined ? undefined : threads.get(thread);
    const step = name === undefined ? words : `${name}: ${words}`;
    line.show([step, note ?? (modelCalls === 0 ? '' : calls)].filter((part) => part !== '').join(' · '));
  };
  return (event) => {
    if (event.type === 'step-started') {
      words = WORDS.get(event.step) ?? event.step;
      thread = THREAD.exec(event.path)?.[0];
      return show();
    }
    if (event.type !== 'call') return;
    if (event.call === 'model-retry') return show('the model did not answer, trying again');
    if (event.call === 'refine-thread') {
      const path = THREAD.exec(event.path)?.[0];
      if (path !== undefined) threads.set(path, `thread ${event.data.thread} of ${event.data.threads}`);
      return show();
    }
    if (event.call !== 'model-call' || event.data.sent === false) return;
    modelCalls += 1;
    show();
  };
}
