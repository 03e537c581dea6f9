import type { Adapter } from '../../adapter/adapter-spec.ts';
import { isAskemaError } from '../../errors/askema-error.ts';
import type { CallContext } from '../../task/call-context.ts';
import type { Parameter, Row } from '../../values/value.ts';

export interface LookUpLimits {
  readonly timeoutMs: number;
  readonly context: CallContext;
}

type LookUpOptions = LookUpLimits & { readonly parameters?: readonly Parameter[] | undefined };

/** Whether such a statement gives any row; undefined where the database did not say. Throws like {@link lookUpRows}. */
export async function anyRow(adapter: Adapter, sql: string, options: LookUpOptions): Promise<boolean | undefined> {
  const rows = await lookUpRows(adapter, sql, { ...options, maxRows: 1 });
  return rows === undefined ? undefined : rows.length > 0;
}

/**
 * The rows of a small read statement of the retriever. Undefined where the database did not say: the statement failed or took too long.
 *
 * @throws AskemaError `ABORTED`.
 */
export async function lookUpRows(
  adapter: Adapter,
  sql: string,
  { parameters, maxRows, timeoutMs, context }: LookUpOptions & { readonly maxRows: number },
): Promise<readonly Row[] | undefined> {
  try {
    return (await adapter.query(sql, { parameters, maxRows, timeoutMs, access: 'read', context })).rows;
  } catch (thrown) {
    if (isAskemaError(thrown) && thrown.code === 'ABORTED') throw thrown;
    return undefined;
  }
}
