import { type LanguageModel, QUERY_DEFAULTS, type Solver } from '@askema/core';
import { createText2Schema } from '@askema/text2schema';
import { createText2Sql } from '@askema/text2sql/ask';
import type { DesignTools, ToolDatabase } from '@askema/tools';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { NamedDatabase } from '../../database/name-databases.ts';
import { chooseDesignModel } from '../../flags/read-design-flags.ts';
import { defaultFlow, resolveFlow } from '../../flow/resolve-flow.ts';
import { type ModelChoice, resolveModel } from '../../model/resolve-model.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { parseDuration } from '../../terminal/duration.ts';
import { FALLBACK_NOTE, openAsked, readQuestionSetup } from '../ask/open-asked.ts';
import type { McpFlags } from './mcp.ts';
import { recentJournal } from './recent-journal.ts';

/** Databases as the tools of an agent take them. */
export interface ServedDatabases {
  readonly databases: Readonly<Record<string, ToolDatabase>>;
  readonly model: LanguageModel | Solver;
  readonly design: DesignTools | undefined;
  close(): Promise<void>;
}

/** Opens databases and the model as `askema ask` does. Rejects as that does. */
export async function openServed(
  named: readonly NamedDatabase[],
  flags: McpFlags,
  loaded: LoadedConfig,
  context: CommandContext,
): Promise<ServedDatabases> {
  const { host, err, signal } = context;
  const { given, setup } = await readQuestionSetup(flags, loaded, context);
  const here = { ...loaded, cwd: host.cwd };
  const namedFlow = await resolveFlow(flags, here);
  const timeoutMs = flags.timeout === undefined ? undefined : parseDuration(flags.timeout, '--timeout');
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closers.splice(0).reverse()) await one();
  };
  try {
    const designer =
      flags.design === true ? await chooseDesignModel(flags.model, { loaded, env: host.env, signal }) : undefined;
    const model = await resolveModel({ flag: flags.model, loaded, env: host.env, signal });
    if (model.isFallback) await err.write(`${err.yellow(FALLBACK_NOTE)}\n`);
    const flow = namedFlow ?? (await defaultFlow(flags, here, { model: model.model, access: 'read' }));
    const databases: Record<string, ToolDatabase> = {};
    for (const { name, address } of named) {
      const asked = await openAsked({ address, access: 'read', loaded, flags, timeoutMs }, context);
      closers.push(asked.close);
      const text2sql = createText2Sql({
        ...{ adapter: asked.adapter, model: model.model, flow: flow.flow, access: 'read', journal: recentJournal() },
        ...{ timeoutMs: timeoutMs ?? QUERY_DEFAULTS.timeoutMs, onEvent: loaded.config.tracing?.onEvent },
        ...asked.setup,
        ...setup,
      });
      closers.push(() => text2sql.close());
      const ask: typeof text2sql.ask = (question, options) => text2sql.ask(question, { ...given, ...options });
      databases[name] = { adapter: asked.adapter, text2sql: { ...text2sql, ask } };
    }
    const design = designer && designTools(designer.model, databases, loaded);
    return { databases, model: model.model, design, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** DDL is written for the first database. */
function designTools(
  model: ModelChoice['model'],
  databases: ServedDatabases['databases'],
  { config }: LoadedConfig,
): DesignTools | undefined {
  const [first] = Object.values(databases);
  return (
    first && {
      text2schema: createText2Schema({ model, onEvent: config.tracing?.onEvent }),
      dialect: first.adapter.dialect,
    }
  );
}
