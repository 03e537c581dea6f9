import { AskemaError, type Catalog, oneLine } from '@askema/core';
import { databaseOf, type TurnTools } from './turn-tools.ts';

/** What stands behind FROM, JOIN or a comma, with its quotes and what it is qualified by. Of any dialect. */
const NAMED = /(?:\b(?:from|join)|,)\s+((?:["`[]?[\p{L}_][\p{L}\p{N}_$]{0,127}["`\]]?\.?){1,3})/giu;
/** Names beyond these help nobody. */
const MAX_NAMES = 20;

/**
 * The error of a statement; where its database has no relation that it names, and another one of the conversation has
 * it, with a sentence that says so.
 */
export async function toldOfOther(
  error: AskemaError,
  { sql, database }: { readonly sql: string; readonly database: string },
  tools: TurnTools,
  signal: AbortSignal,
): Promise<AskemaError> {
  const others = Object.keys(tools.databases).filter((name) => name !== database);
  if (error.code !== 'QUERY_FAILED' || error.details.errorClass !== 'identifier' || others.length === 0) return error;
  const relationsIn = async (name: string): Promise<ReadonlySet<string>> => {
    try {
      return namesIn(await databaseOf(name, tools).catalog({ signal, tenant: tools.tenant }));
    } catch {
      // One that cannot be read tells nothing.
      return new Set();
    }
  };
  const told = wordsOf(error.message);
  const own = await relationsIn(database);
  const missing = [...named(sql)].filter((name) => told.has(name) && !own.has(name));
  if (missing.length === 0) return error;
  const known = await Promise.all(others.map(async (name) => ({ name, relations: await relationsIn(name) })));
  const hints = missing.slice(0, MAX_NAMES).flatMap((relation) => {
    const having = known.filter(({ relations }) => relations.has(relation)).map(({ name }) => `\`${name}\``);
    return having.length === 0
      ? []
      : [`\`${oneLine(relation, 60)}\` is not in \`${database}\`; it is in ${having.join(' and ')}.`];
  });
  if (hints.length === 0) return error;
  const { code, message, retryable, details, cause } = error;
  return new AskemaError(code, `${sentence(message)} ${hints.join(' ')} Name the database.`, {
    retryable,
    details,
    cause,
  });
}

function sentence(message: string): string {
  return /[.!?]$/.test(message.trim()) ? message.trim() : `${message.trim()}.`;
}

function named(sql: string): ReadonlySet<string> {
  const paths = [...sql.matchAll(NAMED)].map(([, path = '']) => path.replaceAll(/["`[\]]/g, '').split('.'));
  return new Set(paths.map((path) => (path.at(-1) ?? '').toLowerCase()));
}

function namesIn({ schema }: Catalog): ReadonlySet<string> {
  return new Set(schema.relations.map(({ name }) => name.toLowerCase()));
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_$]*/gu));
}
