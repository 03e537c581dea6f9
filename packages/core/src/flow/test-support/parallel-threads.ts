import { createFlow } from '../create-flow.ts';
import { defineStep } from '../define-step.ts';
import type { EndedItem } from '../parallel-flow.ts';
import { end } from '../routes.ts';
import type { StepContext } from '../step.ts';
import { type Deferred, deferred, settle } from './deferred.ts';

/** One thread: drafts, then checks. */
export interface Thread {
  name: string;
  draft?: string;
  sql?: string;
}
export interface ThreadsState {
  names: string[];
  found: unknown[];
}
export interface ThreadsDeps {
  readonly work: (step: string, name: string, context: StepContext<ThreadsDeps>) => Promise<string> | string;
}

const draft = defineStep<Thread, ThreadsDeps>()({
  name: 'draft',
  prep: (state) => state.name,
  exec: (name, context) => context.deps.work('draft', name, context),
  post: (state, _name, text) => {
    state.draft = text;
  },
});
const check = defineStep<Thread, ThreadsDeps>()({
  name: 'check',
  actions: ['good', 'bad'],
  prep: (state) => state.name,
  exec: (name, context) => context.deps.work('check', name, context),
  post: (state, _name, text) => {
    state.sql = text;
    return text.startsWith('bad') ? 'bad' : 'good';
  },
});
export const thread = createFlow<Thread, ThreadsDeps>({ name: 'thread' })
  .step(draft, { default: 'check' })
  .step(check, { good: end, bad: end })
  .build();
export const vote = defineStep<ThreadsState, ThreadsDeps>()({
  name: 'vote',
  exec: (_input, context) => context.deps.work('vote', '', context),
  post: (state, _input, text) => void state.found.push(text),
});

export type EndedThread = EndedItem<Thread, 'good' | 'bad'>;
export interface ThreadsOptions {
  readonly concurrency?: number | ((deps: ThreadsDeps) => number);
  readonly enough?: (ended: readonly EndedThread[], items: number) => boolean;
  readonly onError?: 'fail' | 'collect';
}
const show = (ended: EndedThread): string => {
  const { status, state } = ended;
  const how = status === 'finished' ? ended.action : status === 'failed' ? ended.error.code : status;
  return `${ended.item} ${how} ${state.draft ?? '-'} ${state.sql ?? '-'}`;
};
/** `threads` runs {@link thread} once per name and notes how each ended; `vote` comes after it. */
export function threadsFlow(options: ThreadsOptions = {}) {
  return createFlow<ThreadsState, ThreadsDeps>({ name: 'f' })
    .parallel(
      'threads',
      thread,
      { default: 'vote' },
      {
        enter: (state) => state.names.map((name): Thread => ({ name })),
        leave: (state, ended) => void state.found.push(...ended.map(show)),
        ...options,
      },
    )
    .step(vote, { default: end })
    .build();
}

export const START: ThreadsState = { names: ['a', 'b', 'c'], found: [] };

/** Work that waits for the test, call by call: `draft a`. */
export function gatedThreads() {
  const gates = new Map<string, Deferred<string>>();
  const begun: string[] = [];
  const aborted: string[] = [];
  const deps: ThreadsDeps = {
    work: (step, name, context) => {
      if (step === 'vote') return 'voted';
      const call = `${step} ${name}`;
      const gate = deferred<string>();
      gates.set(call, gate);
      begun.push(call);
      // The signal also fires when an attempt is over.
      context.signal.addEventListener('abort', () => gates.has(call) && aborted.push(call));
      return gate.promise;
    },
  };
  const finish = async (call: string, value = call.replace(' ', '-')): Promise<void> => {
    const gate = gates.get(call);
    gates.delete(call);
    gate?.resolve(value);
    await settle();
  };
  const fail = async (call: string, error: unknown): Promise<void> => {
    const gate = gates.get(call);
    gates.delete(call);
    gate?.reject(error);
    await settle();
  };
  const item = async (name: string): Promise<void> => {
    await finish(`draft ${name}`);
    await finish(`check ${name}`);
  };
  return { deps, begun, aborted, finish, fail, item };
}

/** Work that is done at once. */
export const instant: ThreadsDeps = { work: (step, name) => `${step}-${name}` };
