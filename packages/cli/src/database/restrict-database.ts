import type { Adapter } from '@askema/core';
import type { RestrictFlags } from '../process/command-context.ts';

/** Keeps back what `--hide`, `--mask` and the configuration say; the adapter itself where they say nothing. */
export async function restrictDatabase(adapter: Adapter, rules: RestrictFlags): Promise<Adapter> {
  const { hide = [], mask = [] } = rules;
  if (hide.length === 0 && mask.length === 0) return adapter;
  const [{ restrict }, { createSqlParser }] = await Promise.all([import('@askema/lint'), import('@askema/sql-parser')]);
  const parser = createSqlParser();
  const restricted = restrict(adapter, { hide, mask, parser });
  const close = async (): Promise<void> => {
    await restricted.close();
    await parser.close();
  };
  return { ...restricted, close, [Symbol.asyncDispose]: close };
}
