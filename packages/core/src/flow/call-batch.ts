import pLimit from 'p-limit';
import { abortedError } from '../errors/askema-error.ts';
import { callExec, type ExecCall } from './call-exec.ts';
import { CancelScope } from './cancel-scope.ts';
import { Suspension, throwIfStopped } from './run.ts';

/**
 * The results of `exec` for every item, in the order of the items. The first failure stops the items that wait and aborts those that run.
 * When an item suspends the run, those that run may finish, because their work is paid for.
 */
export async function callBatch(call: ExecCall, items: readonly unknown[]): Promise<readonly unknown[]> {
  const concurrency = call.step.concurrency ?? 1;
  const itemCall = (input: unknown, index: number, scope: CancelScope): ExecCall => ({
    ...call,
    scope,
    input,
    path: `${call.path}/${index}`,
  });
  if (concurrency === 1) {
    const results: unknown[] = [];
    for (const [index, item] of items.entries()) results.push(await callExec(itemCall(item, index, call.scope)));
    return results;
  }
  const scope = new CancelScope(call.scope);
  const limit = pLimit(concurrency);
  const runItem = async (item: unknown, index: number): Promise<unknown> => {
    throwIfStopped(call.run, scope);
    if (call.run.suspension !== undefined) throw call.run.suspension;
    try {
      return await callExec(itemCall(item, index, scope));
    } catch (thrown) {
      // Here and not further out: the limit begins the next item as soon as this one is over.
      if (!(thrown instanceof Suspension)) scope.cancel(abortedError(`The batch \`${call.path}\``));
      throw thrown;
    }
  };
  try {
    return await collect(items.map((item, index) => limit(runItem, item, index)));
  } finally {
    limit.clearQueue();
    scope.close();
  }
}

/** All values in order; the first failure at once; a suspension only when nothing runs any more. */
function collect(results: readonly Promise<unknown>[]): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    const values: unknown[] = new Array(results.length);
    let open = results.length;
    let suspension: Suspension | undefined;
    const settle = (): void => {
      open -= 1;
      if (open > 0) return;
      if (suspension === undefined) resolve(values);
      else reject(suspension);
    };
    if (open === 0) resolve(values);
    for (const [index, result] of results.entries()) {
      result.then(
        (value) => {
          values[index] = value;
          settle();
        },
        (thrown: unknown) => {
          if (!(thrown instanceof Suspension)) return reject(thrown);
          suspension = thrown;
          settle();
        },
      );
    }
  });
}
