import { attributesText, type DecomposedRelation, dependencyText } from '@askema/core';
import type { Output } from '../process/output.ts';
import { printable } from '../terminal/printable.ts';
import type { NormalizedRelation } from './normalize-relation.ts';

/** More keys than these are only counted. */
const MAX_SHOWN_KEYS = 20;

/** What `askema normalize` prints of a relation for people. */
export function formatNormalized(relation: NormalizedRelation, out: Output): string {
  const { name, attributes, candidateKeys, primeAttributes, normalForm, minimalCover, verdict } = relation;
  const lines = [
    `${out.bold(printable(name))} ${list(attributes)}`,
    ...block('candidate keys', keyLines(candidateKeys)),
    ...block('prime', [primeAttributes.length === 0 ? 'none' : printable(attributesText(primeAttributes))]),
    ...block('normal form', [
      normalForm.complete ? normalForm.form : `${normalForm.form}, as far as the keys that were found tell`,
      ...normalForm.violations.map(
        ({ breaks, dependency, reason }) => `not ${breaks}: ${printable(`${dependencyText(dependency)}. ${reason}`)}`,
      ),
    ]),
    ...block('minimal cover', minimalCover.length === 0 ? ['no dependencies'] : minimalCover.map(textOf)),
    ...block('decomposition', partLines(relation, out)),
    ...block('certificate', certificateLines(relation)),
  ];
  const text = `${lines.join('\n')}\n`;
  return verdict.valid ? text : out.red(text);
}

function block(title: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, at) => `  ${(at === 0 ? title : '').padEnd(14)}  ${line}`);
}

function keyLines({ keys, complete }: NormalizedRelation['candidateKeys']): readonly string[] {
  const shown = keys.slice(0, MAX_SHOWN_KEYS).map(list);
  const more = keys.length > shown.length ? [`and ${keys.length - shown.length} more`] : [];
  return [...shown, ...more, ...(complete ? [] : ['the search was cut: there may be others; --max-keys searches on'])];
}

function partLines({ attributes, decomposition }: NormalizedRelation, out: Output): readonly string[] {
  const { relations, foreignKeys } = decomposition;
  const [first] = relations;
  const isWhole = relations.length === 1 && first?.attributes.length === attributes.length;
  const head = isWhole ? ['none needed'] : [];
  return [
    ...head,
    ...relations.flatMap((part) => [
      `${out.bold(printable(part.name))} ${list(part.attributes)}`,
      `  key ${keysOf(part)}`,
      ...foreignKeys
        .filter(({ from }) => from === part.name)
        .map(({ to, attributes: own }) => `  foreign key ${list(own)} to ${printable(to)}`),
    ]),
  ];
}

function keysOf({ key, alternateKeys }: DecomposedRelation): string {
  return [list(key), ...alternateKeys.map((other) => `also ${list(other)}`)].join(', ');
}

function certificateLines({ decomposition, verdict }: NormalizedRelation): readonly string[] {
  if (!verdict.valid) return ['not valid', ...verdict.problems.map(({ message }) => printable(message))];
  const { relations, certificate } = decomposition;
  const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
  return [
    `valid: ${counted(relations.length, 'part')} in 3NF; lossless, chase of ${counted(certificate.lossless.steps.length, 'step')}; dependencies preserved`,
  ];
}

function textOf(dependency: NormalizedRelation['minimalCover'][number]): string {
  return printable(dependencyText(dependency));
}

function list(attributes: readonly string[]): string {
  return `(${printable(attributesText(attributes))})`;
}
