import type { Adapter, CallContext, Catalog, InspectionFinding, ValueIndex } from '@askema/core';
import { scanCells } from '@askema/grounding';
import {
  BUILT_IN_RULES,
  findingsInOrder,
  type InspectionRule,
  inspectSql,
  inspectValues,
  withSeverities,
} from '@askema/lint';
import { sqlparserTs } from '@askema/sql-parser';
import type { InspectionTool, SeveritySetting } from '../../flags/read-severities.ts';

/** Looks at statements of one database. */
export interface Linter {
  /** The findings, in the order of the text; spans slice `sql`. */
  lint(sql: string): Promise<readonly InspectionFinding[]>;
  close(): Promise<void>;
}

interface LinterOptions {
  readonly adapter: Adapter;
  readonly catalog: Catalog;
  readonly context: CallContext;
  readonly question?: string | undefined;
  readonly rules?: readonly InspectionRule[] | undefined;
  readonly severities: Readonly<Record<string, SeveritySetting>>;
  readonly without: ReadonlySet<InspectionTool>;
  /** Where cells are looked up; without one, the columns of a statement are read. Not closed here. */
  readonly valueIndex?: ValueIndex | undefined;
}

/** A linter with a parser of its own; `close` ends it. */
export function createLinter(options: LinterOptions): Linter {
  const { adapter, catalog, context, question, rules = [], severities, without } = options;
  const parser = sqlparserTs();
  const values = options.valueIndex ?? scanCells({ adapter, catalog });
  return {
    async lint(sql) {
      const { findings, query } = await inspectSql(sql, {
        catalog,
        dialect: adapter.dialect,
        parser,
        question,
        rules: without.has('detector') ? [] : [...BUILT_IN_RULES, ...rules],
        severities: without.has('detector') ? {} : severities,
        ...(without.has('planner') ? {} : { planner: adapter.planner }),
        signal: context.signal,
        context,
      });
      const cells =
        query === undefined || without.has('retriever')
          ? []
          : await inspectValues(query, { adapter, valueIndex: values, context });
      return findingsInOrder([...findings, ...withSeverities(cells, severities)]);
    },
    async close() {
      if (values !== options.valueIndex) await values.close();
      await parser.close();
    },
  };
}
