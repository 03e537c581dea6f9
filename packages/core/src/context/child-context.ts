import type { CallContext } from './call-context.ts';

/**
 * The context of a part of a call: path, idempotency key and memo names get `segment` behind them. Parts that run at
 * the same time need segments of their own (`sample-1`, `sample-2`), so that a resumed run gives each its own recorded
 * results.
 */
export function childContext(context: CallContext, segment: string): CallContext {
  const { memo } = context;
  return {
    ...context,
    path: `${context.path}/${segment}`,
    idempotencyKey: `${context.idempotencyKey}/${segment}`,
    ...(memo === undefined ? {} : { memo: (name, call, options) => memo(`${segment}.${name}`, call, options) }),
  };
}
