import type { StoredRun } from '../../compare/read-run.ts';
import { driftSentence, identityOf } from '../figures/run-notes.ts';
import { visibleLine } from '../figures/visible-text.ts';
import { type Html, html, htmlTable } from './html.ts';

/** A part of the page that its navigation names. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: readonly (Html | undefined)[];
}

export function section({ id, title, content }: Section): Html {
  return html`<section id="${id}" aria-labelledby="${id}-h">
<h2 id="${id}-h">${title}</h2>
${content.filter((part) => part !== undefined)}</section>
`;
}

/** A plot with its table beside. */
export function beside(...parts: readonly (Html | undefined)[]): Html {
  const cells = parts.flatMap((part) => (part === undefined ? [] : html`<div>${part}</div>\n`));
  return html`<div class="beside">\n${cells}</div>\n`;
}

/** Figures of the headline: a name, a number and what belongs to it. */
export function cards(all: readonly (readonly [name: string, value: string, note?: string | undefined])[]): Html {
  const items = all.map(
    ([name, value, note]) =>
      html`<div><dt>${name}</dt><dd>${value}${note === undefined ? undefined : html` <small>${note}</small>`}</dd></div>\n`,
  );
  return html`<dl class="cards">\n${items}</dl>\n`;
}

export function notes(all: readonly string[]): Html | undefined {
  if (all.length === 0) return undefined;
  return html`<ul class="notes">\n${all.map((note) => html`<li>${note}</li>\n`)}</ul>\n`;
}

export function runKey(first: string, second: string): Html {
  return html`<ul class="key"><li><i class="first"></i><bdi>${first}</bdi></li><li><i class="second"></i><bdi>${second}</bdi></li></ul>\n`;
}

/** What never became a question or a result, and gold that changed; undefined where all is well. */
export function problemSection(runs: readonly StoredRun[]): Section | undefined {
  const content = runs.flatMap((stored) => {
    const { name, summary, unreadable } = stored;
    const gold = stored.results.flatMap((result): readonly (readonly [string, string])[] => {
      if (result.verdict === 'goldFailed') return [[result.id, `gold failed: ${result.reason ?? ''}`]];
      return result.goldDrift === undefined ? [] : [[result.id, driftSentence(result.goldDrift)]];
    });
    const rows = (summary?.problems ?? []).map((problem) => [`line ${problem.line}`, visibleLine(problem.message)]);
    const lines = unreadable.map((problem) => [`result ${problem.line}`, visibleLine(problem.message)]);
    const all = [...gold, ...rows, ...lines];
    return (
      htmlTable({ caption: `${name}: ${all.length} problems`, columns: ['where', 'what'], rows: all, words: [1] }) ?? []
    );
  });
  return content.length === 0 ? undefined : { id: 'problems', title: 'Problems of dataset and gold', content };
}

/** How the figures came about, in words, and the record of each run. */
export function methodSection(records: readonly (Html | undefined)[], level: number, resampled: string): Section {
  const percentage = Number((level * 100).toFixed(2));
  return {
    id: 'method',
    title: 'How it was measured',
    content: [
      ...records,
      html`<h3>Words and intervals</h3>
<p><strong>right</strong>: the result of the answer's statement matches that of gold. <strong>wrong</strong>: it does not.
<strong>declined</strong>: no answer was given, or none was confirmed. <strong>failed</strong>: tried and not succeeded.
<strong>gold failed</strong>: gold itself did not run; such questions are not counted. Accuracy is right of all that are counted.</p>
<p>Intervals hold the true share in ${percentage} of 100 such measurements: those of shares are Wilson's score intervals, ${resampled}
They speak of chance in the choice of questions alone, not of a model that answers otherwise tomorrow.</p>
`,
    ],
  };
}

export function identityTable(stored: StoredRun): Html | undefined {
  return htmlTable({ caption: `The run ${stored.name}`, columns: ['', 'value'], rows: identityOf(stored), words: [1] });
}

export interface PageContent {
  readonly title: string;
  readonly subtitle: string;
  /** What stands before the first section. */
  readonly summary: Html;
  readonly sections: readonly Section[];
}
