import {
  type Fix,
  type InspectionFinding,
  type NearCell,
  quoteString,
  type Severity,
  type ValueMatch,
} from '@askema/core';
import { likeness } from '@askema/grounding';
import { attributeName } from '../resolve/query-facts.ts';
import type { ResolvedQuery } from '../resolve/resolved-query.ts';
import type { NearCells } from './near-cells.ts';
import { applyFolding, type ValueCondition } from './value-conditions.ts';

/** Below it a condition that keeps a value out is left alone: the value may be meant to be absent. */
const MIN_SCORE_OF_NEGATED = 0.7;
/** A cell that is not spelled alike is clearly meant from this score on, when the next one is so far below it. */
const CLEAR_SCORE = 0.75;
const CLEAR_LEAD = 0.15;
/** The only cell in the rows that meet the other conditions is clearly meant from this score on. */
const COMPANION_SCORE = 0.5;
/** Cells of messages are cut here; those of `cells` are whole. */
const MAX_SHOWN_CHARACTERS = 80;

/** Kinds of likeness that are a matter of spelling, never of meaning. */
const SPELLING: ReadonlySet<string> = new Set(['case', 'blanks or marks', 'accents', 'word order']);

/** What was found, and what the column holds in the rows that meet the other conditions on its relation. */
type FoundCells = NearCells & { readonly beside: readonly string[] };

/**
 * The finding `value-not-found` of a condition that no row meets; undefined for one that keeps a value out and that
 * nothing in the column is like. `hasAlternative`: another condition, of which one suffices, is met.
 */
export function valueFinding(
  query: ResolvedQuery,
  condition: ValueCondition,
  near: FoundCells,
  hasAlternative: boolean,
  limits: { readonly nearest: number },
): InspectionFinding | undefined {
  const best = near.areSamples ? undefined : near.here[0];
  if (condition.negated && (best?.score ?? 0) < MIN_SCORE_OF_NEGATED) return undefined;
  const column = attributeName(query, condition.cell.attribute, { qualified: true });
  const cell = near.areSamples ? undefined : clearCell(condition, near);
  const fix = cell === undefined ? undefined : fixOf(query, condition, cell);
  const here = besideFirst(condition, near).slice(0, limits.nearest);
  const cells: readonly NearCell[] = [...here, ...near.elsewhere].map(({ attribute, value, score }) => ({
    column: attributeName(query, attribute, { qualified: true }),
    value,
    score,
    ...(attribute === condition.cell.attribute && near.beside.includes(value) ? { isBeside: true } : {}),
  }));
  return {
    code: 'value-not-found',
    severity: severityOf(condition, near, hasAlternative),
    message: messageOf(query, condition, column, { ...near, here }),
    advice: adviceOf(query, condition, column, near),
    span: condition.value.span,
    ...(fix === undefined ? {} : { fix }),
    cells,
    column,
    value: condition.value.text,
  };
}

/** Cells that stand in the rows in question go before those that are only alike. */
function besideFirst({ cell, mention }: ValueCondition, { here, beside }: FoundCells): readonly ValueMatch[] {
  const first = beside.map((value) => ({
    mention,
    attribute: cell.attribute,
    value,
    score: likeness(mention, value).score,
  }));
  return [...first.sort((a, b) => b.score - a.score), ...here.filter(({ value }) => !beside.includes(value))];
}

function severityOf({ operator, negated }: ValueCondition, near: NearCells, hasAlternative: boolean): Severity {
  return operator === '=' && !negated && !hasAlternative && near.coverage === 'whole' ? 'error' : 'warning';
}

/**
 * The one cell of the column that is the same thing spelled otherwise; or one far more alike than all others, here and
 * elsewhere.
 */
function clearCell(
  { mention, operator }: ValueCondition,
  { here, elsewhere, coverage, beside }: FoundCells,
): string | undefined {
  if (operator !== '=') return undefined;
  const [only, ...others] = beside;
  if (only !== undefined && others.length === 0 && likeness(mention, only).score >= COMPANION_SCORE) return only;
  const spelled = here.filter(({ value }) => SPELLING.has(likeness(mention, value).how));
  if (spelled.length > 0) return spelled.length === 1 ? spelled[0]?.value : undefined;
  const [best, second] = here;
  if (best === undefined || best.score < CLEAR_SCORE || coverage !== 'whole') return undefined;
  if (haveOtherNumbers(mention, best.value)) return undefined;
  const isFarAbove = best.score - (second?.score ?? 0) >= CLEAR_LEAD;
  return isFarAbove && elsewhere.every(({ score, value }) => score < best.score || value === best.value)
    ? best.value
    : undefined;
}

/** Another number is another thing, however alike the rest is: `Boeing 737` and `Boeing 747`. */
function haveOtherNumbers(a: string, b: string): boolean {
  const [ofA, ofB] = [a, b].map((text) => text.match(/\d+/g)?.join(' '));
  return ofA !== undefined && ofB !== undefined && ofA !== ofB;
}

function fixOf({ dialect }: ResolvedQuery, { cell, value }: ValueCondition, stored: string): Fix | undefined {
  if (stored.includes('\0')) return undefined;
  const text = quoteString(applyFolding(stored, cell.folding), dialect);
  return { description: `Compare with ${text}`, edits: [{ span: value.span, text }] };
}

function messageOf(query: ResolvedQuery, condition: ValueCondition, column: string, near: FoundCells): string {
  const { operator, value } = condition;
  const missing =
    operator === '='
      ? `${column} has no cell ${quoted(value.text)}`
      : `${column} has no cell like the pattern ${quoted(value.text)}`;
  const part = near.coverage === 'whole' ? '' : ' among those searched';
  const parts = [
    near.here.length === 0
      ? 'no cell of it is near'
      : near.areSamples
        ? `none is near${part}; it holds values such as ${list(near.here)}`
        : `the nearest there${part}: ${list(near.here)}`,
  ];
  if (near.beside.length > 0)
    parts.push(`where the other conditions hold, it is ${near.beside.map(quoted).join(' or ')}`);
  if (near.elsewhere.length > 0) parts.push(`elsewhere: ${places(query, near.elsewhere)}`);
  return `${missing}; ${parts.join('; ')}.`;
}

function adviceOf(query: ResolvedQuery, condition: ValueCondition, column: string, near: NearCells): string {
  const steps: string[] = [];
  if (near.areSamples && near.here.length > 0)
    steps.push(`compare with one of the cells of ${column} if it means the same as ${quoted(condition.value.text)}`);
  if (!near.areSamples)
    steps.push(
      `compare ${column} with one of its cells, exactly as it is stored, if it is the same thing spelled otherwise`,
    );
  if (near.elsewhere.length > 0) {
    const columns = [
      ...new Set(near.elsewhere.map(({ attribute }) => attributeName(query, attribute, { qualified: true }))),
    ];
    steps.push(`use another column if the question means that one: ${columns.join(', ')}`);
  }
  steps.push('drop the condition if the question does not ask for it');
  const [first = '', ...others] = steps;
  return `${first[0]?.toUpperCase() ?? ''}${[first, ...others].join('; else ').slice(1)}. If the database cannot hold such a value at all, say so.`;
}

function list(matches: readonly ValueMatch[]): string {
  return matches.map(({ value }) => quoted(value)).join(', ');
}

function places(query: ResolvedQuery, matches: readonly ValueMatch[]): string {
  return matches
    .map(({ attribute, value }) => `${quoted(value)} in ${attributeName(query, attribute, { qualified: true })}`)
    .join(', ');
}

/** Blanks at the ends must be seen. */
function quoted(text: string): string {
  const characters = [...text.slice(0, 4 * MAX_SHOWN_CHARACTERS)];
  const shown =
    characters.length <= MAX_SHOWN_CHARACTERS ? text : `${characters.slice(0, MAX_SHOWN_CHARACTERS).join('')}…`;
  return `'${shown.replace(/\s/gu, ' ').replaceAll("'", "''")}'`;
}
