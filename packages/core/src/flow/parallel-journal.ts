import { AskemaError, abortedError, type SerializedError, toAskemaError } from '../errors/askema-error.ts';
import { decodeValue } from '../values/encode-value.ts';
import type { JournalEntryOf } from './journal.ts';
import type { EndedItem } from './parallel-flow.ts';
import { NOT_OF_THE_RUN, notDeterministic } from './recorder.ts';
import { type Run, StopPoint } from './run.ts';

/** An item of a parallel node before it runs. */
export interface ParallelItem {
  readonly index: number;
  readonly path: string;
  /** Its own, which its steps change. */
  readonly state: object;
  /** The state that it begins with, as `enter` gave it. */
  readonly initial: object;
  /** The hash of the state it begins with; undefined without a journal. */
  readonly input: string | undefined;
}

/** How an item ended, as its journal entry says: an `exec` at the item's path, like that of a batch item. */
type RecordedEnd =
  | { readonly status: 'finished'; readonly action: string }
  | { readonly status: 'failed'; readonly error: SerializedError }
  | { readonly status: 'stopped' };

/** A recorded end of an item. */
export interface ItemEnd {
  readonly item: ParallelItem;
  readonly end: RecordedEnd;
  /** What a step of it without a recorded result ends with. */
  readonly beyond: AskemaError;
}

export async function recordEnd(run: Run, item: ParallelItem, ended: EndedItem<object, string>): Promise<void> {
  const { status } = ended;
  const end: RecordedEnd =
    status === 'finished'
      ? { status, action: ended.action }
      : status === 'failed'
        ? { status, error: ended.error.toJSON() }
        : { status };
  await run.recorder?.recordItem(item.path, item.input, end);
}

/**
 * Lets items go on that had failed when the run ended as failed and the node had not been left: as with a step, a
 * failure is final only for who made something of it. Those that were stopped go on as well, because it may have been
 * on account of them. A replay, and an item that is known to have ended, show what was.
 */
export async function retryFailed(run: Run, path: string): Promise<void> {
  const { recorder, stopAt } = run;
  if (recorder === undefined || !run.resumed || run.ended !== undefined) return;
  if (recorder.readOnly && stopAt === undefined) return;
  const failed = recorder
    .items(path)
    .filter(({ entry }) => recorder.isUnsettled(path, entry) && recordedEnd(entry).status === 'failed');
  if (failed.length > 0) await recorder.retryItems(path);
}

/**
 * The recorded ends of items, in the order in which they were recorded.
 *
 * A fork that begins inside an item leaves out what is no more: how that item ended, and that others were stopped
 * because of it.
 */
export function itemEnds(run: Run, path: string, items: readonly ParallelItem[]): readonly ItemEnd[] {
  const { recorder, stopAt } = run;
  if (recorder === undefined || !run.resumed) return [];
  const forked = stopAt?.startsWith(`${path}/`) ? stopAt.slice(path.length + 1).split('/')[0] : undefined;
  return recorder.items(path).flatMap(({ item: index, entry }) => {
    const item = items[index];
    if (item === undefined) throw notDeterministic(path, '`enter` returned fewer items than were recorded');
    if (item.input !== entry.input) {
      throw notDeterministic(item.path, '`enter` returned something other than when its end was recorded');
    }
    const end = recordedEnd(entry);
    if (forked !== undefined && (forked === String(index) || end.status === 'stopped')) return [];
    recorder.use(entry);
    return [{ item, end, beyond: errorBeyond(item, end) }];
  });
}

function recordedEnd(entry: JournalEntryOf<'exec'>): RecordedEnd {
  return decodeValue(entry.value) as RecordedEnd;
}

function errorBeyond(item: ParallelItem, end: RecordedEnd): AskemaError {
  if (end.status === 'failed') return AskemaError.fromJSON(end.error);
  if (end.status === 'stopped') return abortedError(`The item \`${item.path}\``);
  return notDeterministic(item.path, 'it was recorded as finished, and now wants a result that is not there');
}

/** Runs an ended item over its recorded results, for its state. */
export async function replayEnd(
  { item, end, beyond }: ItemEnd,
  runItem: () => Promise<string>,
): Promise<EndedItem<object, string>> {
  const { index, state } = item;
  let action: string | undefined;
  try {
    action = await runItem();
  } catch (thrown) {
    if (thrown instanceof StopPoint || end.status === 'finished') throw thrown;
    if (NOT_OF_THE_RUN.has(toAskemaError(thrown).code)) throw thrown;
  }
  if (action !== (end.status === 'finished' ? end.action : undefined)) {
    const recorded = end.status === 'finished' ? `finished with \`${end.action}\`` : end.status;
    throw notDeterministic(item.path, `it finished with \`${action}\`, and was recorded as ${recorded}`);
  }
  if (end.status === 'failed') return { item: index, state, status: end.status, error: beyond };
  return end.status === 'finished'
    ? { item: index, state, status: end.status, action: end.action }
    : { item: index, state, status: end.status };
}
