import { count, counted, percent, points, pointsRange, pValue } from '../report/figures/format-numbers.ts';
import { levelTitle, type Table } from '../report/figures/run-tables.ts';
import { type Block, heading, list, paragraph, tables, writeMarkdown, writeText } from '../report/text/document.ts';
import { DEFAULT_LEVEL } from '../statistics/wilson-interval.ts';
import { CERTAINTIES } from './expectation.ts';
import type { ExpectationReport, ExpectationShare, PairedExpectations } from './expectation-report.ts';

const COLUMN_OF = { all: 'all', fact: 'facts', event: 'events', refusal: 'refusals' } as const;
const KINDS = Object.keys(COLUMN_OF) as (keyof typeof COLUMN_OF)[];
const CERTAINTY_OF = { all: 'said or implied', said: 'said', implied: 'implied' } as const;

/** Requirements below which the interval of a bootstrap is too narrow, and its p-value too small. */
const FEWEST = 10;

/** A report of expectations for a terminal (`text`, without colours) or as Markdown. Default: `text`. */
export function formatExpectationReport(report: ExpectationReport, format: 'text' | 'markdown' = 'text'): string {
  const { requirements, judges, differences, problems } = report;
  const few = requirements < FEWEST ? ['So few requirements cannot tell a lead from chance.'] : [];
  const blocks: readonly Block[] = [
    heading(1, 'Expectations'),
    paragraph(`${counted(requirements, 'requirement')}, judged by ${judges.join(', ')}.`),
    ...list([
      ...(differences.length > 0 ? few : []),
      ...problems.map(({ id, message }) => `Cannot be used: ${id}: ${message}`),
    ]),
    ...tables(
      shareTable(report, 'Met by the schema or by a stated assumption', ({ holds, stated }) => holds + stated),
      shareTable(report, 'Met by the schema alone', ({ holds }) => holds),
      differenceTable(report, 'by the schema or by a stated assumption', ({ met }) => met),
      differenceTable(report, 'by the schema alone', ({ holds }) => holds),
    ),
  ];
  return format === 'markdown' ? writeMarkdown(blocks) : writeText(blocks);
}

function shareTable(
  { designs }: ExpectationReport,
  caption: string,
  numberOf: (share: ExpectationShare) => number,
): Table {
  const rows = designs.flatMap(({ name, requirements, shares }) =>
    (['all', ...CERTAINTIES] as const).map((certainty) => {
      const cells = KINDS.map((kind) => {
        const share = shares.find((each) => each.kind === kind && each.certainty === certainty);
        return share === undefined || share.expectations === 0
          ? '-'
          : `${percent(numberOf(share) / share.expectations)} of ${count(share.expectations)}`;
      });
      return [name, CERTAINTY_OF[certainty], count(requirements), ...cells];
    }),
  );
  return { caption, columns: ['design', 'certainty', 'requirements', ...Object.values(COLUMN_OF)], rows, words: [1] };
}

function differenceTable(
  { differences, baseline = '' }: ExpectationReport,
  how: string,
  differenceOf: (paired: PairedExpectations) => PairedExpectations['met'],
): Table {
  return {
    caption: `Against ${baseline}, met ${how}`,
    columns: [
      'design',
      'expectations',
      'certainty',
      'requirements',
      'difference in points',
      levelTitle(DEFAULT_LEVEL),
      'p',
    ],
    rows: differences.map((paired) => {
      const difference = differenceOf(paired);
      return [
        paired.name,
        COLUMN_OF[paired.kind],
        CERTAINTY_OF[paired.certainty],
        count(paired.requirements),
        points(difference.value),
        pointsRange(difference),
        paired.requirements < FEWEST ? '-' : pValue(difference.pValue),
      ];
    }),
    words: [1, 2],
  };
}
