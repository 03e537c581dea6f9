import { type Adapter, createCallContext, toAskemaError } from '@askema/core';

/** How long a database may take to answer before the server starts without it. */
const ANSWER_MS = 10_000;

/**
 * Asks a database once and closes it. Resolves with the reason where it cannot be asked now: it may come back while the
 * server runs. Rejects with `CONFIG_INVALID` for what waiting does not mend, such as a wrong password or a pattern that
 * hides nothing.
 */
export async function askOnce(adapter: Adapter, signal: AbortSignal): Promise<string | undefined> {
  try {
    await adapter.query('SELECT 1', { timeoutMs: ANSWER_MS, context: createCallContext({ signal }) });
    return undefined;
  } catch (thrown) {
    const { code, message } = toAskemaError(thrown);
    if (code === 'CONFIG_INVALID') throw thrown;
    return `${message} [${code}]`;
  } finally {
    await adapter.close();
  }
}
