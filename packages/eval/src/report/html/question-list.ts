import type { EvaluationResult } from '../../run/evaluation-result.ts';
import { counted, decimal, duration, usd } from '../figures/format-numbers.ts';
import { verdictName } from '../figures/run-tables.ts';
import { type Html, html } from './html.ts';

/** A question of the list, with what one or two runs made of it. */
export interface ListedQuestion {
  /** What the filter calls its state: a verdict, or what changed between two runs. */
  readonly state: string;
  readonly sides: readonly {
    /** Undefined where there is only one run. */
    readonly name?: string | undefined;
    readonly result: EvaluationResult;
  }[];
}

/** States in the order of the filter, with their names. */
const STATES: Readonly<Record<string, string>> = {
  lost: 'lost',
  gained: 'gained',
  missed: 'missed by both',
  only: 'in one run only',
  wrong: 'wrong',
  declined: 'declined',
  failed: 'failed',
  goldFailed: verdictName('goldFailed'),
};

/** The questions under a filter that a script shows; without the script all are there. */
export function questionList(questions: readonly ListedQuestion[]): Html {
  if (questions.length === 0) return html`<p>There are none.</p>\n`;
  const firsts = questions.flatMap(({ sides }) => sides[0]?.result ?? []);
  const states = Object.keys(STATES).filter((state) => questions.some((question) => question.state === state));
  return html`<form id="filter" class="filter" role="search" aria-label="Filter of the questions" hidden>
<label>Words <input type="search" name="words" autocomplete="off"></label>
${select(
  'state',
  'State',
  states.map((state) => [state, STATES[state] ?? state]),
)}
${select('difficulty', 'Difficulty', valuesOf(firsts, 'difficulty'))}
${select('category', 'Category', valuesOf(firsts, 'category'))}
${select('database', 'Database', valuesOf(firsts, 'databaseId'))}
<button type="submit">Filter</button>
<button type="reset">Show all</button>
<output id="shown" aria-live="polite"></output>
</form>
${questions.map(article)}`;
}

/** Values carry a sign before them, so that an empty name is not taken for all. */
function select(
  name: string,
  label: string,
  values: readonly (readonly [value: string, name: string])[],
): Html | undefined {
  if (values.length < 2) return undefined;
  const choices = values.map(([value, title]) => html`<option value="=${value}">${title}</option>`);
  return html`<label>${label} <select name="${name}"><option value="">all</option>${choices}</select></label>`;
}

function valuesOf(
  results: readonly EvaluationResult[],
  key: 'difficulty' | 'category' | 'databaseId',
): readonly (readonly [string, string])[] {
  return [...new Set(results.map((result) => result[key]))].sort().map((value) => [value, value]);
}

function article({ state, sides }: ListedQuestion): Html {
  const result = sides[0]?.result;
  if (result === undefined) return html``;
  const gold = result.goldSql.map((sql, index) =>
    sqlBlock(result.goldSql.length > 1 ? `Gold, accepted form ${index + 1}` : 'Gold', sql),
  );
  return html`<article class="question" data-state="${state}" data-difficulty="${result.difficulty}" data-category="${result.category}" data-database="${result.databaseId}">
<h3><span class="badge ${state}">${STATES[state] ?? state}</span> <bdi>${result.id}</bdi></h3>
<p class="meta"><bdi>${result.difficulty}</bdi> · <bdi>${result.category}</bdi> · database <bdi>${result.databaseId}</bdi></p>
<p class="asked" dir="auto">${result.question}</p>
${sides.map(remarks)}<div class="sides">
${gold.length === 0 ? html`<div><h4>Gold</h4><p class="note">Result files only, no SQL.</p></div>` : gold}
${sides.map((side) => sqlBlock(side.name === undefined ? 'Answer' : `Answer of ${side.name}`, side.result.sql))}</div>
</article>
`;
}

function remarks({ name, result }: ListedQuestion['sides'][number]): Html {
  const { verdict, reason, error, confidence, sure, elapsedMs, costUsd, calls, scores, warnings, solvedBy } = result;
  const facts = [
    confidence === undefined ? '' : `confidence ${decimal(confidence)}`,
    sure === undefined ? '' : sure ? 'sure' : 'not sure',
    result.outcome === 'notAsked' ? '' : duration(elapsedMs),
    calls === 0 ? '' : counted(calls, 'model call'),
    costUsd === undefined ? '' : usd(costUsd),
    solvedBy === undefined ? '' : `by ${solvedBy}`,
    ...Object.entries(scores ?? {}).map(([id, score]) => `${id} ${decimal(score)}`),
  ].filter((fact) => fact !== '');
  const prefix = name === undefined ? undefined : html`<bdi>${name}</bdi>: `;
  const cause = [verdict === 'right' ? undefined : reason, error === undefined ? undefined : `(${error.code})`]
    .filter((part) => part !== undefined)
    .join(' ');
  const broken = Object.entries(result.metricErrors ?? {}).map(([id, message]) => `${id} failed: ${message}`);
  const heard = [...warnings, ...broken].map((warning) => html`<p class="note" dir="auto">${warning}</p>\n`);
  const said = cause === '' ? undefined : html`: ${cause}`;
  const rest = facts.length === 0 ? undefined : html` <span class="note">${facts.join(' · ')}</span>`;
  return html`<p dir="auto">${prefix}<strong>${verdictName(verdict)}</strong>${said}${rest}</p>
${heard}`;
}

function sqlBlock(title: string, sql: string | undefined): Html {
  const body =
    sql === undefined ? html`<p class="note">No statement.</p>` : html`<pre dir="ltr"><code>${sql}</code></pre>`;
  return html`<div><h4>${title}</h4>${body}</div>
`;
}
