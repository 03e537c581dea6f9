import { type AskemaToolsOptions, askemaTools, type Tool, type ToolDatabase, type ToolName } from '@askema/tools';
import { hasScope } from '../caller/scopes.ts';
import type { Caller, Scope } from '../contract.ts';

export interface CallerDatabase extends ToolDatabase {
  /** False where it has no model: it takes SQL only. */
  readonly answersQuestions?: boolean | undefined;
}

export interface CallerToolsOptions extends AskemaToolsOptions {
  readonly databases: Readonly<Record<string, CallerDatabase>>;
}

const NEEDED: Readonly<Record<ToolName, Scope>> = {
  ask: 'ask',
  search_catalog: 'catalog',
  run_sql: 'sql',
  check_sql: 'sql',
  design_schema: 'design',
};

/**
 * The tools that a caller may use, each with the databases that it may be used on: what a caller may not do is not
 * listed, and a database that they know nothing of has no name.
 */
export function toolsOfCaller(caller: Caller, options: CallerToolsOptions): readonly Tool[] {
  const names = Object.keys(options.databases);
  const order = Object.keys(NEEDED) as ToolName[];
  const made = new Map<string, readonly Tool[]>();
  return order.flatMap((name) => {
    const answers = (database: string): boolean =>
      name !== 'ask' || options.databases[database]?.answersQuestions !== false;
    const allowed = names.filter((database) => hasScope(caller, NEEDED[name], database) && answers(database));
    if (allowed.length === 0) return [];
    const key = JSON.stringify(allowed);
    const tools = made.get(key) ?? askemaTools({ ...options, databases: pick(options.databases, allowed) });
    made.set(key, tools);
    return tools.filter((tool) => tool.name === name);
  });
}

function pick(
  databases: Readonly<Record<string, ToolDatabase>>,
  names: readonly string[],
): Readonly<Record<string, ToolDatabase>> {
  return Object.fromEntries(Object.entries(databases).filter(([name]) => names.includes(name)));
}
