import type { Adapter, Catalog, ValueIndex } from '@askema/core';
import { scanCells } from '@askema/grounding';
import type { InspectionRule } from '@askema/lint';
import type { SqlParser } from '@askema/sql';
import type { ClosableSqlParser } from '@askema/sql-parser';
import type { QuestionDeps } from '../question/question-deps.ts';

/**
 * The given index; or, for each catalog, one that reads cells from the database and keeps them as long as the run
 * lasts.
 */
export function cellsOfRun(adapter: Adapter, given: ValueIndex | undefined): (catalog: Catalog) => ValueIndex {
  let scanned: { readonly fingerprint: string; readonly cells: ValueIndex } | undefined;
  return (catalog) => {
    if (given !== undefined) return given;
    if (scanned?.fingerprint !== catalog.fingerprint)
      scanned = { fingerprint: catalog.fingerprint, cells: scanCells({ adapter, catalog }) };
    return scanned.cells;
  };
}

/** A parser that is made when the first statement is parsed. */
export interface LazyParser extends SqlParser {
  /** Closes the parser that was made; one that was passed in belongs to its owner. */
  close(): Promise<void>;
}

/** The given parser, or one of @askema/sql-parser that is loaded, and starts its thread, with the first statement. */
export function lazyParser(given: SqlParser | undefined): LazyParser {
  let own: Promise<ClosableSqlParser> | undefined;
  return {
    async parse(sql, dialect, options) {
      if (given !== undefined) return given.parse(sql, dialect, options);
      own ??= import('@askema/sql-parser').then(({ sqlparserTs }) => sqlparserTs());
      return (await own).parse(sql, dialect, options);
    },
    async close() {
      await (await own)?.close();
    },
  };
}

/** What an inspection works with in one run. */
export interface InspectionTools {
  /** Of the user. */
  readonly rules: readonly InspectionRule[];
  readonly parser: SqlParser;
  /** Where near cells are looked up: what one look-up of a run has read, the next one knows. */
  readonly cellsOf: (catalog: Catalog) => ValueIndex;
}

/** The tools of one run. */
export function inspectionTools(
  { adapter, parser, schemaOptions }: Pick<QuestionDeps, 'adapter' | 'parser' | 'schemaOptions'>,
  rules: readonly InspectionRule[] = [],
): InspectionTools {
  return { rules, parser, cellsOf: cellsOfRun(adapter, schemaOptions.valueIndex) };
}
