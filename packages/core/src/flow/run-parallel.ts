import { AskemaError, abortedError, toAskemaError } from '../errors/askema-error.ts';
import { CancelScope } from './cancel-scope.ts';
import { clonePlain, isPlainObject } from './clone-plain.ts';
import { hashValue } from './hash-value.ts';
import { concurrencyOf, type EndedItem, type ParallelPart } from './parallel-flow.ts';
import { itemEnds, type ParallelItem, recordEnd, replayEnd, retryFailed } from './parallel-journal.ts';
import { NOT_OF_THE_RUN } from './recorder.ts';
import { type Run, StopPoint, Suspension, throwIfStopped } from './run.ts';
import { runLimited } from './run-limited.ts';
import { synchronously } from './synchronously.ts';

/** One visit of a parallel node. */
export interface ParallelCall {
  readonly run: Run;
  readonly part: ParallelPart;
  /** Of the node in its flow. */
  readonly name: string;
  readonly path: string;
  /** Of the outer flow. */
  readonly deps: unknown;
  readonly enter: () => unknown;
  /** Runs the inner flow on this very state, below the item's path, and returns the action it ends with. */
  readonly runItem: (run: Run, state: object, path: string) => Promise<string>;
}

export type AnyEndedItem = EndedItem<object, string>;

/**
 * Runs the items of a parallel node, and returns how each ended, in the order of the items. Rejects only when nothing
 * runs any more.
 *
 * What is recorded of a run decides: an item's end is journaled before `enough` is asked, and `enough` is asked in the
 * order of those entries. So a resumed run stops the same items, and one that had ended is not taken up again, unless
 * it failed and the run with it ({@link retryFailed}). What an item's state was is not recorded: its steps are run
 * again over their recorded results, as far as those go.
 */
export async function runParallel(call: ParallelCall): Promise<readonly AnyEndedItem[]> {
  const items = enterItems(call);
  const visit = new ParallelVisit(call, items.length);
  try {
    const open = await visit.takeRecorded(items);
    if (open.length === 0) return visit.ended();
    if (call.run.ended !== undefined || call.run.recorder?.readOnly) return await visit.readOn(open);
    return await visit.runOpen(open);
  } finally {
    visit.close();
  }
}

function enterItems({ run, name, path, enter }: ParallelCall): readonly ParallelItem[] {
  const states = synchronously(name, 'enter', enter);
  if (!Array.isArray(states) || !states.every(isPlainObject)) {
    throw new AskemaError(
      'FLOW_INVALID',
      `Step \`${name}\` entered with something other than states; its \`enter\` returns an array with one plain object per item.`,
    );
  }
  return states.map((state: object, index) => {
    const input = run.recorder === undefined ? undefined : hashValue(state);
    return { index, path: `${path}/${index}`, initial: state, state: cloneState(state, index, name), input };
  });
}

/** @throws AskemaError `INPUT_INVALID` for what is not plain data. */
function cloneState(state: object, index: number, name: string): object {
  return clonePlain(state, () => `The state of item ${index} of step \`${name}\``);
}

class ParallelVisit {
  readonly #call: ParallelCall;
  readonly #count: number;
  readonly #scope: CancelScope;
  /** In the order in which they ended. */
  readonly #ended: AnyEndedItem[] = [];
  /** Ends count one by one. */
  #turn: Promise<void> = Promise.resolve();
  #decided = false;
  #failed: { readonly thrown: unknown } | undefined;

  constructor(call: ParallelCall, count: number) {
    this.#call = call;
    this.#count = count;
    this.#scope = new CancelScope(call.run.scope);
  }

  /** Runs the items whose end is recorded over their recorded results; returns the others. */
  async takeRecorded(items: readonly ParallelItem[]): Promise<readonly ParallelItem[]> {
    const { run, path, runItem } = this.#call;
    const open = new Set(items);
    await retryFailed(run, path);
    for (const end of itemEnds(run, path, items)) {
      open.delete(end.item);
      const own = itemRun(run, run.scope, end.beyond);
      this.#add(await replayEnd(end, () => runItem(own, end.item.state, end.item.path)));
      run.steps += own.steps;
      throwIfStopped(run);
    }
    return [...open];
  }

  /** In a pass that may not go beyond the journal: shows what the missing item lacks. */
  async readOn(open: readonly ParallelItem[]): Promise<never> {
    const { run, runItem } = this.#call;
    const thrown: unknown[] = [];
    for (const { state, path } of open) {
      const missing = new AskemaError(
        'RECORDING_MISSING',
        `The journal of run \`${run.runId}\` does not say how \`${path}\` ended; resume the run to get it.`,
        { details: { path } },
      );
      const own = itemRun(run, run.scope, run.ended);
      const end = await runItem(own, state, path).then(
        () => run.ended ?? missing,
        (reason: unknown) => reason,
      );
      run.steps += own.steps;
      thrown.push(end);
    }
    const first = (kind: typeof StopPoint | typeof Suspension): unknown => thrown.find((one) => one instanceof kind);
    throw first(StopPoint) ?? first(Suspension) ?? thrown[0];
  }

  async runOpen(open: readonly ParallelItem[]): Promise<readonly AnyEndedItem[]> {
    const { run, part, deps } = this.#call;
    await runLimited(open.length, concurrencyOf(part, deps), (at) => this.#runOne(open[at] as ParallelItem));
    if (this.#failed !== undefined) throw this.#failed.thrown;
    // As with exec: when all is there, it counts, even if the run has been stopped in the meantime.
    if (this.#ended.length === this.#count) return this.ended();
    throwIfStopped(run);
    throw run.waiting.suspension;
  }

  ended(): readonly AnyEndedItem[] {
    return [...this.#ended].sort((a, b) => a.item - b.item);
  }

  close(): void {
    this.#scope.close();
  }

  /** Never rejects: what goes wrong is kept until all items are over. */
  async #runOne(item: ParallelItem): Promise<void> {
    const { run } = this.#call;
    if (this.#failed !== undefined || run.scope.error !== undefined) return;
    const own = itemRun(run, this.#scope, undefined);
    let end: AnyEndedItem | undefined;
    if (this.#decided) end = { item: item.index, state: item.state, status: 'stopped' };
    // What waits does not begin when the run is to be suspended; what runs may finish, because it is paid for.
    else if (run.waiting.suspension === undefined) end = await this.#run(item, own);
    run.live += own.live;
    if (end?.status === 'stopped' && run.resumed && own.live === 0) end = await this.#runRecorded(item);
    else run.steps += own.steps;
    if (end !== undefined) await this.#end(item, end);
  }

  async #run({ index, state, path }: ParallelItem, own: Run): Promise<AnyEndedItem | undefined> {
    try {
      return { item: index, state, status: 'finished', action: await this.#call.runItem(own, state, path) };
    } catch (thrown) {
      return this.#endOf(index, state, thrown);
    }
  }

  /**
   * A resumed run may stop an item before it has come to the end of its recorded results, and to work of its own. What
   * the item is said to have found must not depend on that, so it is run over all of them.
   */
  async #runRecorded(item: ParallelItem): Promise<AnyEndedItem | undefined> {
    const { run } = this.#call;
    const own = itemRun(run, run.scope, abortedError(`The item \`${item.path}\``), 'silent');
    const end = await this.#run({ ...item, state: cloneState(item.initial, item.index, this.#call.name) }, own);
    run.steps += own.steps;
    return end;
  }

  /** How an item ended that threw; undefined when it has not, but the run is over or waits. */
  #endOf(index: number, state: object, thrown: unknown): AnyEndedItem | undefined {
    const { run, part } = this.#call;
    if (thrown instanceof Suspension || this.#failed !== undefined) return undefined;
    const error = toAskemaError(thrown);
    const outer = run.recorder?.broken ?? run.scope.error;
    if (outer === undefined && !NOT_OF_THE_RUN.has(error.code) && error.code !== 'FLOW_INVALID') {
      if (this.#decided) return { item: index, state, status: 'stopped' };
      if (part.onError === 'collect') return { item: index, state, status: 'failed', error };
    }
    this.#fail(outer ?? thrown);
    return undefined;
  }

  /**
   * An end is handed to the journal at once, so that those that come together share one wait for the disk. They count
   * in this order, each when it is written.
   */
  #end(item: ParallelItem, end: AnyEndedItem): Promise<void> | undefined {
    const { run } = this.#call;
    if (run.recorder === undefined) {
      this.#tryAdd(end);
      return undefined;
    }
    const written = recordEnd(run, item, end).then(
      () => undefined,
      (thrown: unknown) => ({ thrown }),
    );
    this.#turn = this.#turn.then(async () => {
      const failure = await written;
      if (failure === undefined) this.#tryAdd(end);
      else this.#fail(failure.thrown);
    });
    return this.#turn;
  }

  #tryAdd(end: AnyEndedItem): void {
    try {
      this.#add(end);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #add(end: AnyEndedItem): void {
    const { part, name } = this.#call;
    this.#ended.push(end);
    if (end.status === 'stopped') this.#decided = true;
    const { enough } = part;
    if (this.#decided || enough === undefined || this.#ended.length === this.#count) return;
    if (synchronously(name, 'enough', () => enough([...this.#ended] as never, this.#count)) !== true) return;
    this.#decided = true;
    this.#scope.cancel(abortedError(`An item of \`${this.#call.path}\` that is not needed any more`));
  }

  #fail(thrown: unknown): void {
    this.#failed ??= { thrown };
    this.#scope.cancel(abortedError(`An item of \`${this.#call.path}\``));
  }
}

/** An item counts on its own, can always be stopped, and shows no state: the run's own does not change. */
function itemRun(run: Run, scope: CancelScope, ended: AskemaError | undefined, silent?: 'silent'): Run {
  return {
    ...run,
    scope,
    cancellable: true,
    showState: undefined,
    events: silent === undefined ? run.events : undefined,
    ended,
    steps: 0,
    live: 0,
  };
}
