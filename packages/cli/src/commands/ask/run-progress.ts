import type { EventSink } from '@askema/core';
import type { ProgressLine } from '../../terminal/progress-line.ts';

/** Steps whose names say little to who waits. */
const WORDS: Readonly<Record<string, string>> = {
  'read-message': 'reading the message',
  'run-statement': 'executing',
  summarize: 'telling it in sentences',
  'get-schema': 'reading the schema',
  'expect-format': 'fixing the expected format',
  'profile-columns': 'profiling columns',
  'explore-columns': 'exploring',
  'write-sql': 'writing',
  execute: 'executing',
  review: 'reviewing',
  'check-result': 'checking an empty result',
  'expand-schema': 'reading more of the schema',
  'write-ctes': 'writing CTEs',
  'look-at-cte': 'running a CTE',
  'judge-cte': 'judging a CTE',
  'mend-cte': 'mending a CTE',
  'probe-cte': 'looking further into a CTE',
  'choose-answer': 'choosing between answers',
};

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
      words = WORDS[event.step] ?? event.step;
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
