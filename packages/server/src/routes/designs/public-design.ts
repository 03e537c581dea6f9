import type { Dialect } from '@askema/core';
import { writeDdl } from '@askema/dialects';
import type { DesignOutcome } from '@askema/text2schema';
import { type Json, toldError } from '../../errors/public-outcome.ts';

/** A design as a caller sees it: with its DDL, and with errors that name nothing of the server. */
export function publicDesign(outcome: DesignOutcome, runId: string, dialect: Dialect): Json {
  const schema = 'schema' in outcome ? outcome.schema : undefined;
  return {
    ...outcome,
    runId,
    ...(schema === undefined ? {} : { ddl: writeDdl(schema, dialect) }),
    ...('error' in outcome ? { error: toldError(outcome.error) } : {}),
  };
}
