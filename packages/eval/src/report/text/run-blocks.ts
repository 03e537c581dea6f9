import { type Calibration, calibrate } from '../../calibration/calibrate.ts';
import type { StoredRun } from '../../compare/read-run.ts';
import type { EvaluationResult } from '../../run/evaluation-result.ts';
import { DEFAULT_LEVEL } from '../../statistics/wilson-interval.ts';
import { counted } from '../figures/format-numbers.ts';
import type { ReportOptions } from '../figures/report-options.ts';
import { figuresOf } from '../figures/run-figures.ts';
import {
  accuracySentence,
  calibrationSentences,
  driftSentence,
  identityOf,
  runNotes,
  titleOf,
} from '../figures/run-notes.ts';
import * as table from '../figures/run-tables.ts';
import { visibleLine } from '../figures/visible-text.ts';
import { type Block, heading, list, paragraph, tables } from './document.ts';

/** So many questions are listed where a text is read from the top; the page lists all. */
export const MOST_LISTED = 100;

/** The report of one run, for text and Markdown. */
export function runBlocks(stored: StoredRun, options: ReportOptions): readonly Block[] {
  const level = options.level ?? DEFAULT_LEVEL;
  const figures = figuresOf(stored.results, options);
  const several = figures.byDatabase.length > 1;
  return [
    heading(1, options.title ?? `${stored.run.dataset.name}: ${titleOf(stored)}`),
    paragraph(accuracySentence(figures)),
    ...list(runNotes(stored, figures)),
    heading(2, 'Where it fails'),
    ...tables(
      table.groupTable('By difficulty', 'difficulty', figures.byDifficulty, level),
      table.groupTable('By category', 'category', figures.byCategory, level),
      several ? table.databaseTable(figures.byDatabase, level) : undefined,
      table.reasonTable(figures),
    ),
    heading(2, 'What it cost'),
    ...tables(table.spendingTable(figures), table.latencyTable(figures), table.metricTable(figures, level)),
    heading(2, 'Whether its confidence can be trusted'),
    ...calibrationBlocks(calibrate(stored.results, { level }), level),
    ...missBlocks(stored.results),
    ...problemBlocks(stored),
    heading(2, 'How it was measured'),
    ...tables({ caption: 'The run', columns: ['', 'value'], rows: identityOf(stored), words: [1] }),
  ];
}

function calibrationBlocks(calibration: Calibration, level: number): readonly Block[] {
  const { confidence, sure } = calibration;
  return [
    ...list(calibrationSentences(calibration)),
    ...tables(
      confidence && table.reliabilityTable(confidence, level),
      confidence && table.coverageTable(confidence, level),
      sure && table.sureTable(sure, level),
    ),
  ];
}

function missBlocks(results: readonly EvaluationResult[]): readonly Block[] {
  const misses = results.filter((result) => result.verdict !== 'right');
  if (misses.length === 0) return [];
  const blocks = misses
    .slice(0, MOST_LISTED)
    .flatMap((miss): readonly Block[] => [
      heading(
        3,
        `${miss.id} (${[table.verdictName(miss.verdict), miss.difficulty, miss.category, miss.databaseId].join(', ')})`,
      ),
      paragraph(miss.question),
      ...(miss.reason === undefined ? [] : [paragraph(`Reason: ${miss.reason}`)]),
      ...miss.goldSql.map((sql): Block => ({ type: 'sql', title: 'Gold', sql })),
      ...(miss.sql === undefined ? [] : [{ type: 'sql', title: 'Answer', sql: miss.sql } as const]),
    ]);
  const rest = misses.length - MOST_LISTED;
  const note =
    rest > 0
      ? [paragraph(`And ${counted(rest, 'further miss').replace(/misss$/, 'misses')}: the HTML page lists all.`)]
      : [];
  return [heading(2, 'Misses'), ...blocks, ...note];
}

/** Gold that failed stands among the misses; here is what never became a question, or no result. */
function problemBlocks({ summary, unreadable, results }: StoredRun): readonly Block[] {
  const problems = [...(summary?.problems ?? []), ...unreadable].map((problem) => visibleLine(problem.message));
  const drift = results.flatMap(({ id, goldDrift }) =>
    goldDrift === undefined ? [] : `${id}: ${driftSentence(goldDrift)}`,
  );
  const all = [...drift, ...problems];
  return all.length === 0 ? [] : [heading(2, 'Problems of dataset and gold'), ...list(all)];
}
