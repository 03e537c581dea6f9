import type { DiagnosisFinding } from '@askema/core';
import type { Output } from '../../process/output.ts';
import { displayWidth } from '../../terminal/display-width.ts';
import { formatDuration } from '../../terminal/duration.ts';
import { printable, printableLines } from '../../terminal/printable.ts';
import type { DatabaseReport, VisibleContent, VisibleNamespace } from './database-report.ts';

/** Longer lists are cut; `--json` has all. */
const MAX_LISTED = 30;

/** A report for people. What the server says of itself cannot move the cursor. */
export function formatReport(report: DatabaseReport, output: Output): string {
  const { visible, findings } = report;
  const parts = [
    formatConnection(report, output),
    visible === undefined ? '' : formatContent(visible, output),
    formatFindings(findings, output),
    formatSteps(report, output),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function formatConnection({ database, server, user, place, readOnly }: DatabaseReport, output: Output): string {
  const lines: (readonly [string, string])[] = [['database', printable(database)]];
  if (server !== undefined) lines.push(['server', printable(server)]);
  if (user !== undefined) lines.push(['user', printable(user)]);
  for (const [key, value] of Object.entries(place ?? {})) lines.push([printable(key), printable(value)]);
  if (readOnly !== undefined) lines.push(['read-only', `${STANDING[readOnly.by]}: ${printable(readOnly.explanation)}`]);
  return pairs(lines, output);
}

const STANDING = {
  grants: 'by the grants',
  engine: 'by the engine',
  text: 'by the text of statements alone',
  nothing: 'not assured',
} as const;

function formatContent(visible: VisibleContent, output: Output): string {
  const rows = visible.namespaces.slice(0, MAX_LISTED).map(namespaceRow);
  const more = visible.namespaces.length - rows.length;
  const table = rows.length === 0 ? '' : columns([['', 'tables', 'views', 'columns', 'rows'], ...rows]);
  const { relations, attributes } = visible;
  const keys = `${visible.primaryKeys} primary, ${visible.foreignKeys} foreign${visible.informationalKeys === 0 ? '' : ` (${visible.informationalKeys} not enforced)`}`;
  const lines: (readonly [string, string])[] = [
    ['keys', keys],
    [
      'comments',
      `on ${visible.relationComments} of ${relations} relations, ${visible.attributeComments} of ${attributes} columns`,
    ],
  ];
  if (visible.nestedFields > 0) lines.push(['nested fields', String(visible.nestedFields)]);
  if (visible.families.length > 0)
    lines.push([
      'families',
      listed(visible.families.map(({ pattern, members }) => `${printable(pattern)} (${members} tables)`)),
    ]);
  const unread = visible.unread
    .slice(0, MAX_LISTED)
    .map(({ subject, reason }) => `${output.yellow('not read:')} ${printable(`${subject}: ${reason}`)}\n`);
  if (visible.unread.length > MAX_LISTED) unread.push(`… and ${visible.unread.length - MAX_LISTED} more\n`);
  const head = output.bold('What can be seen');
  return `${head}\n${table}${more > 0 ? `  … and ${more} more\n` : ''}${pairs(lines, output)}${unread.join('')}`;
}

function namespaceRow({ name, tables, views, attributes, rows, rowsExact }: VisibleNamespace): readonly string[] {
  const counted = rows === undefined ? '' : `${rowsExact ? '' : '~'}${rows.toLocaleString('en-US')}`;
  return [name === '' ? '·' : printable(name), String(tables), String(views), String(attributes), counted];
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}

function formatFindings(findings: readonly DiagnosisFinding[], output: Output): string {
  if (findings.length === 0) return '';
  const paint = { error: output.red, warning: output.yellow, info: output.cyan } as const;
  const ranked = (['error', 'warning', 'info'] as const).flatMap((severity) =>
    findings.filter((finding) => finding.severity === severity),
  );
  const lines = ranked.map(({ severity, code, message, fix }) => {
    const mend = fix === undefined ? '' : `\n${indent(`fix: ${printableLines(fix)}`)}`;
    return `${paint[severity](`${severity}:`)} ${printableLines(message)} ${output.dim(`[${printable(code)}]`)}${mend}\n`;
  });
  return `${output.bold('Findings')}\n${lines.join('')}`;
}

function formatSteps({ steps }: DatabaseReport, output: Output): string {
  if (steps.length === 0) return '';
  const rows = steps.map(({ name, elapsedMs, outcome, error }) => [
    error === undefined ? 'ok' : 'failed',
    name,
    formatDuration(elapsedMs),
    error === undefined ? printable(outcome) : error.code,
  ]);
  return `${output.bold('Steps')}\n${columns(rows, false)}`;
}

function pairs(lines: readonly (readonly [string, string])[], output: Output): string {
  const width = Math.max(...lines.map(([key]) => displayWidth(key)));
  return lines.map(([key, value]) => `${output.dim(key + ' '.repeat(width - displayWidth(key)))}  ${value}\n`).join('');
}

/** Columns side by side; numbers to the right but for the first one. */
function columns(rows: readonly (readonly string[])[], isRight = true): string {
  const widths = (rows[0] ?? []).map((_, place) => Math.max(...rows.map((row) => displayWidth(row[place] ?? ''))));
  return rows
    .map((row) => {
      const cells = row.map((cell, place) => {
        const blanks = ' '.repeat((widths[place] ?? 0) - displayWidth(cell));
        return isRight && place > 0 ? blanks + cell : cell + blanks;
      });
      return `  ${cells.join('  ').trimEnd()}\n`;
    })
    .join('');
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
