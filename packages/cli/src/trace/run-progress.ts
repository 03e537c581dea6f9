import type { EventSink } from '@askema/core';
import type { ProgressLine } from '../terminal/progress-line.ts';

/** Shows on the progress line which step runs and how many model calls there were. */
export function createRunProgress(line: ProgressLine): EventSink {
  let step = 'starting';
  let modelCalls = 0;
  return (event) => {
    if (event.type === 'call' && event.call === 'model-retry') {
      return line.show(`${step} · the model did not answer, trying again`);
    }
    if (event.type === 'step-started') step = event.step;
    else if (event.type === 'call' && event.call === 'model-call' && event.data.sent !== false) modelCalls += 1;
    else return;
    const calls = modelCalls === 0 ? '' : ` · ${modelCalls} model ${modelCalls === 1 ? 'call' : 'calls'}`;
    line.show(`${step}${calls}`);
  };
}
