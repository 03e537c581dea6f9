import { abortedError } from '../errors/askema-error.ts';
import { callExec, type ExecCall } from './call-exec.ts';
import { CancelScope } from './cancel-scope.ts';
import { Suspension, throwIfStopped } from './run.ts';
import { runLimited } from './run-limited.ts';

/**
 * The results of `exec` for every item, in the order of the items. The first failure stops the items that wait and aborts those that run.
 * When an item suspends the run, those that run may finish, because their work is paid for.
 */
export async function callBatch(call: ExecCall, items: readonly unknown[]): Promise<readonly unknown[]> {
  const concurrency = call.step.concurrency ?? 1;
  const { run } = call;
  const itemCall = (index: number, scope: CancelScope): ExecCall => ({
    ...call,
    scope,
    input: items[index],
    path: `${call.path}/${index}`,
    attempts: 0,
  });
  const results: unknown[] = new Array(items.length);
  if (concurrency === 1) {
    for (let index = 0; index < items.length; index += 1) results[index] = await callExec(itemCall(index, call.scope));
    return results;
  }
  const scope = new CancelScope(call.scope);
  let isOver = false;
  let suspension: Suspension | undefined;
  try {
    // The first failure is told at once; a suspension only when nothing runs any more.
    await new Promise<void>((resolve, reject) => {
      const runItem = async (index: number): Promise<void> => {
        if (isOver) return;
        try {
          throwIfStopped(run, scope);
          if (run.waiting.suspension !== undefined) throw run.waiting.suspension;
          results[index] = await callExec(itemCall(index, scope));
        } catch (thrown) {
          if (thrown instanceof Suspension) {
            suspension = thrown;
            return;
          }
          isOver = true;
          scope.cancel(abortedError(`The batch \`${call.path}\``));
          reject(thrown);
        }
      };
      runLimited(items.length, concurrency, runItem).then(resolve);
    });
  } finally {
    isOver = true;
    scope.close();
  }
  if (suspension !== undefined) throw suspension;
  return results;
}
