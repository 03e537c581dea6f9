import { AskemaError, type QueryResult, type Row } from '@askema/core';
import type { SqlParser } from '@askema/sql';
import { resultView } from '@askema/text2sql';
import { z } from 'zod';
import type { Tool, ToolContext, ToolReply } from '../contract.ts';
import type { Databases, FoundDatabase } from '../databases/find-database.ts';
import { cutResult } from '../reply/cut-result.ts';
import { cutText, jsonLength } from '../reply/cut-text.ts';
import { withData } from '../reply/data-block.ts';
import { makeTool } from '../reply/make-tool.ts';
import type { ReplyLimits } from '../reply/reply-limits.ts';
import { findingsJson, findingsLines } from './finding-json.ts';
import { type InspectedStatement, inspectStatement } from './inspect-statement.ts';

/** Bytes of a result that are read at most; what one reply shows of it is far less. */
const MAX_BYTES = 8 * 1024 * 1024;

const runOutput = z.looseObject({
  result: z.unknown().optional(),
  findings: z.array(z.unknown()).optional(),
  /** The statement with the fixes of the findings. */
  fixed: z.string().optional(),
  truncated: z.string().optional(),
});

type RunOutput = z.infer<typeof runOutput>;

export interface SqlTools {
  readonly databases: Databases;
  readonly limits: ReplyLimits;
  readonly parser: SqlParser;
}

/** Inspects a statement, and runs it where no finding is an error: through the read path alone. */
export function runSqlTool({ databases, limits, parser }: SqlTools): Tool {
  const input = z.strictObject({
    sql: z.string(),
    maxRows: z.int().min(1).max(limits.maxRows).optional(),
    ...databases.field,
  });
  return makeTool({
    name: 'run_sql',
    title: 'Run SQL',
    description: `Checks, then runs one SELECT${databases.only === undefined ? '' : ` of ${databases.only.adapter.dialect.name}`}.`,
    input,
    output: runOutput,
    idempotent: true,
    async run({ sql, maxRows = limits.maxRows, database }, context) {
      const found = databases.find(database);
      const inspected = await inspectStatement(sql, found, { parser, planner: found.adapter.planner, context });
      if (inspected.hasErrors) return refusal(inspected, limits);
      const result = await readRows(sql, maxRows, found, context);
      return replyOf(result, inspected, { ...limits, maxRows });
    },
  });
}

async function readRows(
  sql: string,
  maxRows: number,
  { text2sql }: FoundDatabase,
  { signal, tags, tenant }: ToolContext,
): Promise<Pick<QueryResult, 'columns' | 'rows' | 'truncated'>> {
  const given = tags === undefined ? { signal, tenant } : { signal, tenant, tags };
  const stream = await text2sql.stream(sql, { maxRows, maxBytes: MAX_BYTES, ...given });
  const rows: Row[] = [];
  for await (const batch of stream) rows.push(...batch);
  return { columns: stream.columns, rows, truncated: stream.end?.truncated };
}

function refusal({ findings, fixed }: InspectedStatement, limits: ReplyLimits): ToolReply<RunOutput> {
  const told = findingsJson(findings, limits.maxCharacters / 2);
  const message = 'The statement was not run: see `findings`. Mend it, or take `fixed`, and call again.';
  return {
    structured: {
      error: new AskemaError('QUERY_REFUSED', message).toJSON(),
      findings: [...told],
      ...fixedOf(fixed, limits),
    },
    text: withData('Error QUERY_REFUSED. The statement was not run, because of what was found in it.', 'findings', [
      ...findingsLines(told),
      ...(fixed === undefined ? [] : [`Fixed: ${fixed}`]),
    ]),
    isError: true,
  };
}

function replyOf(
  result: Pick<QueryResult, 'columns' | 'rows' | 'truncated'>,
  { findings, fixed }: InspectedStatement,
  limits: ReplyLimits,
): ToolReply<RunOutput> {
  const told = findingsJson(findings, limits.maxCharacters / 4);
  const proposed = fixedOf(fixed, limits);
  const cut = cutResult(result, {
    ...limits,
    maxCharacters: limits.maxCharacters - jsonLength(told) - jsonLength(proposed),
  });
  const note = cut.truncated === undefined ? '' : ` ${cut.truncated}`;
  const count = cut.json.rows.length;
  const view = resultView(cut.shown, { maxRows: limits.maxRows, maxCharacters: limits.maxCharacters * 0.6 });
  return {
    structured: {
      result: cut.json,
      findings: [...told],
      ...proposed,
      ...(cut.truncated === undefined ? {} : { truncated: cut.truncated }),
    },
    text: withData(`${count} ${count === 1 ? 'row' : 'rows'}.${note}`, 'result', [view, ...findingsLines(told)]),
    isError: false,
  };
}

/** A statement that has no room is left out: cut, it would be another one. */
export function fixedOf(fixed: string | undefined, { maxCharacters }: ReplyLimits): { readonly fixed?: string } {
  return fixed === undefined || cutText(fixed, maxCharacters / 4) !== fixed ? {} : { fixed };
}
