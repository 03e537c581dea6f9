import type { Adapter } from '@askema/core';
import { type RestrictOptions, restrict } from '@askema/lint';
import { createSqlParser } from '@askema/sql-parser';

/** Keeps back what `--hide`, `--mask` and the configuration say. Its parser is closed with it. */
export function restrictDatabase(adapter: Adapter, rules: RestrictOptions): Adapter {
  const parser = createSqlParser();
  const restricted = restrict(adapter, { ...rules, parser });
  const close = async (): Promise<void> => {
    await restricted.close();
    await parser.close();
  };
  return { ...restricted, close, [Symbol.asyncDispose]: close };
}
