import { AskemaError } from '@askema/core';
import {
  attributesText,
  type CandidateKeys,
  type CertificateVerdict,
  candidateKeys,
  type DecomposedRelation,
  type Decomposition,
  dependencyText,
  type FunctionalDependency,
  minimalCover,
  type NormalFormVerdict,
  normalFormOf,
  synthesize3NF,
  verifyCertificate,
} from '@askema/normal-form';
import { parseCount } from '../../flags/parse-count.ts';
import { readAll, readTextFile } from '../../flags/read-input.ts';
import { escapeJson } from '../../format/format-json.ts';
import type { CommandContext } from '../../process/command-context.ts';
import { EXIT } from '../../process/exit-code.ts';
import type { Output } from '../../process/output.ts';
import { printable } from '../../terminal/printable.ts';
import { type RelationInput, readRelations } from './read-relations.ts';

export interface NormalizeFlags {
  readonly json?: boolean | undefined;
  readonly maxKeys?: string | undefined;
}

/** `askema normalize FILE`; returns the exit code: 1 where a certificate does not hold. */
export async function runNormalize(
  file: string | undefined,
  flags: NormalizeFlags,
  { host, out }: CommandContext,
): Promise<number> {
  const maxKeys = flags.maxKeys === undefined ? undefined : parseCount(flags.maxKeys, '--max-keys');
  if (file === undefined && host.stdin.isTTY === true) {
    throw new AskemaError(
      'INPUT_INVALID',
      'FILE is missing: askema normalize relations.yaml, or `-` for stdin. `askema normalize --help` shows such a file.',
    );
  }
  const isPiped = file === undefined || file === '-';
  const text = isPiped
    ? await readAll(host.stdin, 'relations')
    : await readTextFile(file, host.cwd, `The file ${file}`);
  const relations = normalizeRelations(readRelations(text, isPiped ? 'stdin' : file), { maxKeys });
  if (flags.json === true) {
    await out.write(`${escapeJson(JSON.stringify({ schemaVersion: 1, relations }, null, 2))}\n`);
  } else {
    for (const [at, relation] of relations.entries())
      await out.write(`${at === 0 ? '' : '\n'}${formatNormalized(relation, out)}`);
  }
  return relations.every(({ verdict }) => verdict.valid) ? EXIT.ok : EXIT.failed;
}

/** All that the command says of one relation. */
interface NormalizedRelation {
  readonly name: string;
  readonly attributes: readonly string[];
  readonly dependencies: readonly FunctionalDependency[];
  readonly candidateKeys: CandidateKeys;
  readonly primeAttributes: readonly string[];
  readonly normalForm: NormalFormVerdict;
  readonly minimalCover: readonly FunctionalDependency[];
  readonly decomposition: Omit<Decomposition, 'original'>;
  readonly verdict: CertificateVerdict;
}

/** Each relation on its own; names of parts are unique over all of them. */
function normalizeRelations(
  relations: readonly RelationInput[],
  limits: { readonly maxKeys?: number | undefined },
): readonly NormalizedRelation[] {
  const taken = new Set(relations.map(({ scheme }) => scheme.name));
  return relations.map(({ scheme, preferredKey }) => {
    const keys = candidateKeys(scheme, limits);
    const prime = new Set(keys.keys.flat());
    const decomposition = synthesize3NF(scheme, { preferredKey, taken });
    for (const { name } of decomposition.relations) taken.add(name);
    const { original: _, ...made } = decomposition;
    return {
      ...scheme,
      candidateKeys: keys,
      primeAttributes: scheme.attributes.filter((attribute) => prime.has(attribute)),
      normalForm: normalFormOf(scheme, limits),
      minimalCover: minimalCover(scheme.dependencies, scheme.attributes),
      decomposition: made,
      verdict: verifyCertificate(decomposition),
    };
  });
}

/** More keys than these are only counted. */
const MAX_SHOWN_KEYS = 20;

/** What `askema normalize` prints of a relation for people. */
function formatNormalized(relation: NormalizedRelation, out: Output): string {
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
    ...block('minimal cover', minimalCover.length === 0 ? ['no dependencies'] : minimalCover.map(shownDependency)),
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

function shownDependency(dependency: NormalizedRelation['minimalCover'][number]): string {
  return printable(dependencyText(dependency));
}

function list(attributes: readonly string[]): string {
  return `(${printable(attributesText(attributes))})`;
}
