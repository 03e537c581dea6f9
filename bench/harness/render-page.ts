import { HEADLINES, type HeadlineGroup } from '../headlines.ts';
import { BENCHES } from './benches.ts';
import { renderHeadline } from './headline.ts';
import { remarksOn } from './remarks.ts';
import { renderBench, renderTable } from './render.ts';
import type { BenchResult } from './result.ts';

/** docs/benchmarks.md: one page of ratios, and where the tables behind them are. */
export function renderPage(results: readonly BenchResult[]): string {
  const place = ({ id }: BenchResult): number => {
    const at = BENCHES.indexOf(id);
    return at === -1 ? BENCHES.length : at;
  };
  const ordered = [...results].sort((a, b) => place(a) - place(b) || a.id.localeCompare(b.id));
  return `${[
    '# How fast it is',
    'Each row holds askema against a peer that did the same work in the same run. **Bold** is where askema is slower or worse. [All tables](#all-measurements), with the reasons, are on pages of their own.',
    conditionsOf(results),
    'A script writes this page from `bench/results/*.json`; do not edit it. [bench](../bench/README.md) says how to measure again.',
    ...HEADLINES.flatMap((group) => renderGroup(group, ordered)),
    '## All measurements',
    'The last column counts every row, at every size, where askema took longer than the peer or where its time grew faster than n log n. The pages list and explain them. The command is held against an empty program, which nothing can beat; that is not counted.',
    renderTable(
      ['measurements', 'measured', 'slower, or growing faster than n log n'],
      ordered.map((result) => [
        `[${result.title}](benchmarks/${result.id}.md)`,
        result.measuredAt.slice(0, 10),
        String(result.parts.flatMap(remarksOn).length || 'none'),
      ]),
    ),
  ].join('\n\n')}\n`;
}

/** docs/benchmarks/<id>.md: all tables of one bench. */
export function renderRawPage(result: BenchResult): string {
  const [title, ...rest] = renderBench(result).trimEnd().split('\n\n');
  return `${[title, '[All benchmarks](../benchmarks.md). A script writes this page; do not edit it.', ...rest, READING].join('\n\n')}\n`;
}

const READING = `## How to read the tables

Each contender ran at each size in a process of its own: once for memory, then a warm-up, then repeated runs. \`median\` and \`quartiles\` are of the repeated runs. The column
that begins with a colon is the median divided by that of the named peer: below 1 is faster. \`grew as\` is the power of the size by which the time grew since the size before.
\`peak\` is by how much the process grew in the first run. \`kept\` is what stays in memory while one result is held. Rows of askema are bold.`;

function renderGroup({ title, about, headlines }: HeadlineGroup, results: readonly BenchResult[]): readonly string[] {
  const sources = [...new Set(headlines.map(({ bench }) => bench))].map((id) => {
    const found = results.find((result) => result.id === id);
    return `[${found?.title ?? id}](benchmarks/${id}.md)`;
  });
  return [
    `## ${title}`,
    ...about,
    renderTable(
      ['what', 'askema', 'peer', 'its figure', 'askema is'],
      headlines.map((headline) => renderHeadline(headline, results)),
    ),
    `Behind it: ${sources.join(', ')}.`,
  ];
}

/** The machine, the versions of Node, and how busy it was: the same for all results, or all that there are. */
function conditionsOf(results: readonly BenchResult[]): string {
  const each = (of: (result: BenchResult) => string): string => [...new Set(results.map(of))].join('; ');
  const machines = each(
    ({ machine }) => `${machine.processor}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system}`,
  );
  const loads = results.flatMap(({ machine }) => machine.load);
  return `Conditions: ${machines}; Node ${each(({ versions }) => String(versions.node).replace('v', ''))}. Times are medians. Other programs ran at the same time (load ${Math.min(...loads)} to ${Math.max(...loads)}), so small differences mean little.`;
}
