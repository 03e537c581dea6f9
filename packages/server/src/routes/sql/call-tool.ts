import { AskemaError, type SerializedError } from '@askema/core';
import { askemaTools, type Tool, type ToolName } from '@askema/tools';
import type { OpenDatabase } from '../../databases/database-pool.ts';
import type { RouteCall } from '../route.ts';

/** A person reads more than a model does. */
const MAX_CHARACTERS = 1_000_000;

const known = new WeakMap<OpenDatabase, readonly Tool[]>();

/** What a tool of agents gives of a database. Rejects with the error that is its reply. */
export async function callTool(call: RouteCall, database: OpenDatabase, name: ToolName, input: object) {
  const tools =
    known.get(database) ??
    askemaTools({ databases: { [database.name]: database }, maxCharacters: MAX_CHARACTERS, parser: call.parts.parser });
  known.set(database, tools);
  const tool = tools.find((each) => each.name === name);
  const { signal, caller } = call;
  const reply = await tool?.call(input, { signal, tenant: caller.tenant });
  const { error, ...structured } = (reply?.structured ?? {}) as { readonly error?: SerializedError };
  if (error !== undefined) throw AskemaError.fromJSON(error);
  return structured as Readonly<Record<string, unknown>>;
}
