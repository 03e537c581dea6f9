import { quoteIfNeeded, quoteString } from '@askema/core';
import { ansiLexer } from '@askema/dialects';
import { STANDARD_IDENTIFIERS } from '@askema/grounding';
import type { DayRange } from '../time/days.ts';
import type { Condition } from './draft.ts';
import type { DatasetField } from './meaning.ts';

const STANDARD = { identifiers: STANDARD_IDENTIFIERS, lexer: ansiLexer };

/** A condition of a request, as standard SQL over fields. Filters stand by their names. */
export function writeCondition(condition: Condition, isNot: boolean): string {
  if (condition.kind === 'filter') return condition.filter.name;
  const literals = condition.values.map(literal);
  const [only = ''] = literals;
  if (literals.length === 1) return `${writeField(condition)} ${isNot ? '<>' : '='} ${only}`;
  return `${writeField(condition)} ${isNot ? 'NOT IN' : 'IN'} (${literals.join(', ')})`;
}

export function writeKnown(place: DatasetField): string {
  return `${writeField(place)} IS NOT NULL`;
}

/** The time of each metric within days. */
export function writeLimits({ from, to }: DayRange): readonly string[] {
  return [
    ...(from === undefined ? [] : [`metric_time >= DATE '${from}'`]),
    ...(to === undefined ? [] : [`metric_time < DATE '${to}'`]),
  ];
}

function writeField({ dataset, field }: DatasetField): string {
  return [dataset.dataset.name, field.field.name].map((name) => quoteIfNeeded(name, STANDARD)).join('.');
}

function literal(value: string | number | boolean): string {
  if (typeof value === 'string') return quoteString(value, STANDARD);
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value);
}
