import { appendFileSync, writeSync } from 'node:fs';
import { createFlow } from '../../flow/create-flow.ts';
import { defineStep } from '../../flow/define-step.ts';
import { end } from '../../flow/routes.ts';
import type { StepContext } from '../../flow/step.ts';
import { jsonlJournal } from '../jsonl-journal.ts';

/**
 * A program that a test kills: `node paid-run.ts run|resume DIRECTORY LEDGER [POINT]`. Four steps, each with two paid
 * calls, whose names and idempotency keys it appends to LEDGER. It writes a line at each point that it passes. At POINT
 * it stops for good, with its whole event loop, until it is killed; otherwise it writes its result.
 */
interface State {
  readonly question: string;
  answer: string[];
}
const [mode, directory = '', ledger = '', point] = process.argv.slice(2);

function pass(name: string): void {
  writeSync(1, `passed ${name}\n`);
  if (name === point) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function paidStep<const Name extends string>(name: Name) {
  const pay = async (context: StepContext, call: string, prompt: string): Promise<string> => {
    const answer = await context.memo(call, async (inner) => {
      appendFileSync(ledger, `${name}.${call} ${inner.idempotencyKey}\n`);
      pass(`in ${name}.${call}`);
      return `${prompt} ${name}.${call}`;
    });
    pass(`${name}.${call}`);
    return answer;
  };
  return defineStep<State>()({
    name,
    prep: (state) => state.answer.at(-1) ?? state.question,
    exec: async (before, context) => pay(context, 'b', await pay(context, 'a', before)),
    post: (state, _before, answer) => {
      state.answer.push(answer);
    },
  });
}

const flow = createFlow<State>({ name: 'paid' })
  .step(paidStep('one'), { default: 'two' })
  .step(paidStep('two'), { default: 'three' })
  .step(paidStep('three'), { default: 'four' })
  .step(paidStep('four'), { default: end })
  .build();
const options = {
  journal: jsonlJournal({ directory }),
  onEvent: (event: { readonly type: string; readonly step?: string }): void => {
    if (event.type === 'step-finished') pass(`${event.step}`);
  },
};
const result =
  mode === 'run'
    ? await flow.run({ question: 'q', answer: [] }, {}, { ...options, runId: 'paid' })
    : await flow.resume('paid', {}, options);
writeSync(1, `result ${JSON.stringify(result.state)}\n`);
