import type { InspectionFinding, Severity, Span } from '@askema/core';
import type { Output } from '../../process/output.ts';
import { displayWidth } from '../../terminal/display-width.ts';
import { printable } from '../../terminal/printable.ts';

/** Characters of a long line that are shown in front of a finding, and in all. */
const SHOWN_BEFORE = 40;
const SHOWN_LENGTH = 110;
/** Cells and names that are listed; the JSON form has them all. */
const MAX_LISTED = 5;
/** Characters of a cell that are shown. */
const MAX_CELL_LENGTH = 60;

/** One finding for people: place, severity, code, message, the line with a mark below the span, and what to do. */
export function formatFinding(
  finding: InspectionFinding,
  span: Span,
  lines: LineTable,
  name: string,
  output: Output,
): string {
  const { line, column } = lines.placeOf(span.start);
  const label = paintSeverity(finding.severity, output);
  const rows = [
    `${output.bold(`${printable(name)}:${line}:${column}`)} ${label} ${printable(finding.message)} ${output.dim(`[${printable(finding.code)}]`)}`,
    ...excerpt(span, lines, output),
    ...hints(finding).map((hint) => `    ${hint}`),
  ];
  return `${rows.join('\n')}\n`;
}

function paintSeverity(severity: Severity, output: Output): string {
  switch (severity) {
    case 'error':
      return output.red('error:');
    case 'warning':
      return output.yellow('warning:');
    case 'note':
      return output.cyan('note:');
  }
}

/** The first line of the span and a mark below it. A tab is one blank here, so that the mark stands where it should. */
function excerpt(span: Span, lines: LineTable, output: Output): readonly string[] {
  const number = lines.placeOf(span.start).line;
  const text = lines.line(number);
  const start = Math.min(span.start - lines.startOf(number), text.length);
  const end = Math.max(start, Math.min(span.end - lines.startOf(number), text.length));
  const from = wholeCharacter(text, text.length <= SHOWN_LENGTH ? 0 : Math.max(0, start - SHOWN_BEFORE));
  const to = wholeCharacter(text, Math.min(text.length, from + SHOWN_LENGTH));
  const shown = (a: number, b: number): string => printable(text.slice(a, b).replaceAll('\t', ' '));
  const head = `${from > 0 ? '… ' : ''}${shown(from, start)}`;
  const marked = shown(start, Math.min(end, to));
  const tail = `${shown(Math.min(end, to), to)}${to < text.length ? ' …' : ''}`;
  const mark = '^'.repeat(Math.max(1, displayWidth(marked)));
  return [`    ${head}${marked}${tail}`, `    ${' '.repeat(displayWidth(head))}${output.red(mark)}`];
}

/** The same place, or one before it, so that no character is cut in two. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

function hints({ nearestNames = [], cells = [], fix }: InspectionFinding): readonly string[] {
  const hints: string[] = [];
  if (nearestNames.length > 0) hints.push(`nearest: ${nearestNames.slice(0, MAX_LISTED).map(printable).join(', ')}`);
  for (const { column, value } of cells.slice(0, MAX_LISTED))
    hints.push(`stored: '${printable(shorten(value))}' in ${printable(column)}`);
  if (cells.length > MAX_LISTED) hints.push(`and ${cells.length - MAX_LISTED} more cells`);
  if (fix !== undefined) hints.push(`fix: ${printable(fix.description)}`);
  return hints;
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_CELL_LENGTH ? text : `${characters.slice(0, MAX_CELL_LENGTH).join('')}…`;
}

/** A place in a text as editors count it: lines and columns from 1, columns in characters as a reader sees them. */
interface Place {
  readonly line: number;
  readonly column: number;
}

/** The lines of a text, for many look-ups. */
interface LineTable {
  /** Of a UTF-16 offset. */
  placeOf(offset: number): Place;
  /** The line without its end; lines count from 1. */
  line(number: number): string;
  /** The offset at which a line begins. */
  startOf(number: number): number;
}

export function lineTable(text: string): LineTable {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const startOf = (number: number): number => starts[number - 1] ?? text.length;
  const numberOf = (offset: number): number => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
  return {
    startOf,
    placeOf(offset) {
      const line = numberOf(offset);
      return { line, column: [...text.slice(startOf(line), offset)].length + 1 };
    },
    line: (number) => text.slice(startOf(number), starts[number] ?? text.length).replace(/\r?\n$/, ''),
  };
}
