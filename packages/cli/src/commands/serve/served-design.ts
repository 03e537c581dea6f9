import type { Dialect } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { ServerOptions } from '@askema/server';
import type { AskemaConfig } from '../../config/askema-config.ts';
import type { ServerConfig } from '../../config/server-config.ts';
import { chooseDesignModel } from '../../flags/read-design-flags.ts';
import { dialectNamed } from '../../format/target-dialects.ts';
import type { ModelChoice, ModelSearch } from '../../model/resolve-model.ts';

/** The model of `server.design`; undefined without it. Rejects as `chooseDesignModel`. */
export async function modelOfDesigns(
  { design = false }: ServerConfig,
  flag: string | undefined,
  search: Omit<ModelSearch, 'flag'>,
): Promise<ModelChoice | undefined> {
  return design === false ? undefined : chooseDesignModel(flag, search);
}

/** How the server designs schemas. */
export function designWith(
  { model }: ModelChoice,
  { server, tracing }: AskemaConfig,
  first: Dialect | undefined,
): NonNullable<ServerOptions['design']> {
  const { design } = server ?? {};
  const named = typeof design === 'object' ? design.dialect : undefined;
  const dialect = named === undefined ? (first ?? postgresDialect) : dialectNamed(named);
  return () => ({ text2schema: { model, onEvent: tracing?.onEvent }, dialect });
}
