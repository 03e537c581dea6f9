import type {
  CheckFinding,
  EvidenceCell,
  IfRules,
  Inclusion,
  RowCheck,
  SuspectedDependency,
  TableCheck,
} from '@askema/lint';
import { attributesText, dependencyText } from '@askema/normal-form';
import { cellText } from '../../format/cell-text.ts';
import type { Output } from '../../process/output.ts';
import { printable } from '../../terminal/printable.ts';

/** Characters of a cell that are shown. */
const MAX_CELL_LENGTH = 40;
/** Findings of a table and right sides of a finding that are printed; the JSON form has them all. */
const MAX_FINDINGS = 30;
const MAX_SUSPECTS = 12;

/** One table for people: what it declares, what was read, what its suspects would mean, and what was found. */
export function formatTable(table: TableCheck, out: Output): string {
  const { name, rowCount, rowCountExact, keys, form, rows, findings } = table;
  const count =
    rowCount === undefined
      ? ''
      : ` ${out.dim(`${rowCountExact === false ? 'about ' : ''}${counted(rowCount, 'row')}`)}`;
  const shown = findings.slice(0, MAX_FINDINGS);
  const lines = [
    `${out.bold(printable(name))}${count}`,
    ...block('keys', keys.length === 0 ? ['none declared'] : [keys.map(list).join(', ')]),
    ...block('normal form', [
      form === undefined ? 'without a key there is none to speak of' : `${form}, as far as the catalog tells`,
    ]),
    ...(rows === undefined ? [] : block('rows read', rowLines(rows))),
    ...(rows?.ifRules === undefined ? [] : block('if rules', ruleLines(rows.ifRules))),
    ...shown.flatMap((finding, at) => [
      ...findingLines(finding, out),
      // One piece of advice for neighbours that share it.
      ...(shown[at + 1]?.advice === finding.advice ? [] : [`      ${out.dim(printable(finding.advice))}`]),
    ]),
    ...(findings.length > shown.length
      ? [`  and ${findings.length - shown.length} more; --format json has them all`]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

function block(title: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, at) => `  ${(at === 0 ? title : '').padEnd(11)}  ${line}`);
}

function rowLines(rows: RowCheck): readonly string[] {
  const { count, whole, cut, attributes, leftOut, complete, lookedAt, candidates, following, further } = rows;
  const sample = whole
    ? `all ${count}`
    : `the first ${count} that the database gave${cut === 'bytes' ? ', where the limit of bytes was reached' : ''}: not drawn at random`;
  const lines = [`${sample}; ${counted(attributes.length, 'attribute')}`];
  const many = leftOut.filter(({ reason }) => reason === 'too many attributes').map(({ attribute }) => attribute);
  const other = leftOut.filter(({ reason }) => reason === 'not comparable').map(({ attribute }) => attribute);
  if (many.length > 0) lines.push(`left out, as there are so many: ${namesText(many)}`);
  if (other.length > 0) lines.push(`left out, as not every database compares them: ${namesText(other)}`);
  if (!complete) lines.push(`time ran out: ${lookedAt} of ${candidates} left sides looked at; --timeout gives more`);
  if (following > 0)
    lines.push(`${counted(following, 'further dependency', 'further dependencies')} follow from those below`);
  if (further > 0)
    lines.push(`${counted(further, 'further dependency', 'further dependencies')} hold, too many to be sorted out`);
  return lines;
}

function ruleLines({ verdict, key, isKeyDeclared, decomposition }: IfRules): readonly string[] {
  const form = `${verdict.form}${isKeyDeclared ? '' : key.length === 0 ? ', no key being known' : `, if ${list(key)} is the key`}`;
  return [
    form,
    ...verdict.violations
      .slice(0, MAX_SUSPECTS)
      .map(({ breaks, dependency }) => `not ${breaks}: ${printable(dependencyText(dependency))}`),
    ...(decomposition?.relations ?? []).map((part) => {
      const foreignKeys = (decomposition?.foreignKeys ?? [])
        .filter(({ from }) => from === part.name)
        .map(({ attributes, to }) => `, ${list(attributes)} to ${printable(to)}`);
      return `→ ${printable(part.name)} ${list(part.attributes)}, key ${list(part.key)}${foreignKeys.join('')}`;
    }),
  ];
}

function findingLines(finding: CheckFinding, out: Output): readonly string[] {
  const { code, message, suspects = [], inclusion, rows = [] } = finding;
  const shown = suspects.slice(0, MAX_SUSPECTS);
  return [
    `  ${severityText(finding, out)} ${printable(message)} ${out.dim(`[${code}]`)}`,
    ...shown.flatMap(suspectLines),
    ...(suspects.length > shown.length ? [`      and ${suspects.length - shown.length} more`] : []),
    ...(inclusion === undefined ? [] : inclusionLines(inclusion)),
    ...rows.map((row) => `      row: ${cellsText(row)}`),
  ];
}

function suspectLines({
  left,
  right,
  g3,
  violations,
  rows,
  distinctLeft,
  counterExample,
}: SuspectedDependency): readonly string[] {
  const error = g3 === 0 ? 'exact' : `g3 ${percent(g3)} (${violations} of ${counted(rows, 'row')})`;
  const evidence = g3 === 0 ? `in ${counted(rows, 'row')}, ` : '';
  return [
    `      ${printable(dependencyText({ left, right: [right] }))}: ${error}, ${evidence}${distinctLeft} different ${distinctLeft === 1 ? 'value' : 'values'} on the left`,
    ...(counterExample === undefined
      ? []
      : [
          `        breaks it: ${cellsText(counterExample.row)}`,
          `        usual (${counterExample.usualCount}): ${cellsText(counterExample.usual)}`,
        ]),
  ];
}

function inclusionLines({ rows, filled, missing, examples, whole }: Inclusion): readonly string[] {
  const read = `${whole ? 'all' : 'the first'} ${counted(rows, 'row')} read, ${filled} with a value, ${missing} without a counterpart`;
  return [`      ${read}`, ...examples.map((row) => `        for example: ${cellsText(row)}`)];
}

function severityText({ severity }: CheckFinding, out: Output): string {
  const paint = { error: out.red, warning: out.yellow, note: out.cyan }[severity];
  return paint(`${severity}:`);
}

function cellsText(cells: readonly EvidenceCell[]): string {
  return cells
    .map(({ attribute, value }) => `${printable(attributesText([attribute]))} ${valueText(value)}`)
    .join(', ');
}

function valueText(value: EvidenceCell['value']): string {
  const text = cellText(value);
  if (text === undefined) return 'NULL';
  const characters = [...text.slice(0, 4 * MAX_CELL_LENGTH)];
  const cut = characters.length > MAX_CELL_LENGTH ? `${characters.slice(0, MAX_CELL_LENGTH).join('')}…` : text;
  return typeof value === 'string' ? `'${printable(cut)}'` : printable(cut);
}

/** Never 0 % of what is there, and never more digits than matter. */
function percent(share: number): string {
  return share < 0.0001 ? 'below 0.01 %' : `${(share * 100).toFixed(2)} %`;
}

function namesText(names: readonly string[]): string {
  const shown = names.slice(0, MAX_SUSPECTS).map((name) => printable(attributesText([name])));
  return `${shown.join(', ')}${names.length > shown.length ? ` and ${names.length - shown.length} more` : ''}`;
}

function list(attributes: readonly string[]): string {
  return `(${printable(attributesText(attributes))})`;
}

function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
