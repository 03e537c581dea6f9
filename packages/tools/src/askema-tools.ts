import type { LanguageModel, Solver } from '@askema/core';
import type { SqlParser } from '@askema/sql';
import { sqlparserTs } from '@askema/sql-parser';
import { askTool } from './ask/ask-tool.ts';
import { rememberedHandles, rememberedQuestions } from './ask/resume-handles.ts';
import { searchCatalogTool } from './catalog/search-catalog-tool.ts';
import type { ResumeHandles, Tool, ToolDatabase, WaitingQuestions } from './contract.ts';
import { namedDatabases } from './databases/find-database.ts';
import { type DesignTools, designSchemaTool } from './design/design-schema-tool.ts';
import { replyLimits } from './reply/reply-limits.ts';
import { checkSqlTool } from './sql/check-sql-tool.ts';
import { runSqlTool } from './sql/run-sql-tool.ts';

export interface AskemaToolsOptions {
  /** By the names that the argument `database` takes. They are the caller's: what they hide, no tool shows. */
  readonly databases: Readonly<Record<string, ToolDatabase>>;
  /** With it there is `design_schema`. */
  readonly design?: DesignTools | undefined;
  /** Rows of a reply. Default: 50. */
  readonly maxRows?: number | undefined;
  /** Characters of a reply as JSON, from 2,000; about as many again in `text`. Default: 10,000. */
  readonly maxCharacters?: number | undefined;
  /**
   * Parses statements that are inspected. Default: `sqlparserTs()` of @askema/sql-parser, made for the first one; it
   * does not keep a process alive. Whoever makes tools for each caller passes one for all.
   */
  readonly parser?: SqlParser | undefined;
  /**
   * Reads which database a question of `ask` is about, where there are several and it names none. Default: nobody does,
   * and it is asked back.
   */
  readonly model?: LanguageModel | Solver | undefined;
  /** Questions that were asked back for their database. Default: these tools remember the last 1,000. */
  readonly waiting?: WaitingQuestions | undefined;
  /** Handles of what was asked back. Default: random ones that these tools remember, the last 1,000. */
  readonly handles?: ResumeHandles | undefined;
}

/**
 * What agents can do with databases, always in the order ask, search_catalog, run_sql, check_sql[, design_schema].
 * `database` is an argument only where there are several, and `ask` finds it where it is left out. The tools close nothing.
 *
 * ```ts
 * const tools = askemaTools({ databases: { shop: { text2sql, adapter } } });
 * const reply = await tools[0]?.call({ question: 'How many orders?' });
 * ```
 *
 * @throws AskemaError `CONFIG_INVALID` for no database, one that is opened for writing, and numbers out of range.
 */
export function askemaTools(options: AskemaToolsOptions): readonly Tool[] {
  const limits = replyLimits(options);
  const databases = namedDatabases(options.databases);
  const parser = options.parser ?? madeOnce(sqlparserTs);
  return [
    askTool({
      ...{ databases, limits, model: options.model },
      handles: options.handles ?? rememberedHandles(),
      waiting: options.waiting ?? rememberedQuestions(),
    }),
    searchCatalogTool(databases, limits),
    runSqlTool({ databases, limits, parser }),
    checkSqlTool({ databases, limits, parser }),
    ...(options.design === undefined ? [] : [designSchemaTool(options.design, limits)]),
  ];
}

function madeOnce(make: () => SqlParser): SqlParser {
  let made: SqlParser | undefined;
  return {
    parse(sql, dialect, options) {
      made ??= make();
      return made.parse(sql, dialect, options);
    },
  };
}
