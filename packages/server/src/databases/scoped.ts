import type { Adapter } from '@askema/core';
import type { OpenedFor } from '../contract.ts';

/**
 * The adapter in a role. Its statements name the tenant to the vendor; that grants nothing.
 *
 * @throws AskemaError `CAPABILITY_UNSUPPORTED` where the adapter knows no roles: give such a tenant a file or a database
 * of its own instead.
 */
export function scoped(adapter: Adapter, { tenant, role }: OpenedFor): Adapter {
  if (tenant === undefined && role === undefined) return adapter;
  const view = adapter.scope({
    ...(role === undefined ? {} : { role }),
    ...(tenant === undefined ? {} : { tags: { tenant } }),
  });
  const close = async (): Promise<void> => {
    await view.close();
    await adapter.close();
  };
  return { ...view, close, [Symbol.asyncDispose]: close };
}
