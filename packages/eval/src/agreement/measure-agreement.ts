import { AskemaError } from '@askema/core';
import { counted, percent } from '../report/figures/format-numbers.ts';
import { textTable } from '../report/text/document.ts';
import type { Verdicts, VerdictValue } from './load-verdicts.ts';

/** How far a person and a judge agree about one thing. */
export interface VerdictAgreement {
  /** `verdict`, or the name of a figure. */
  readonly name: string;
  /** Ids that both judged. */
  readonly judged: number;
  readonly same: number;
  /** `same / judged`. */
  readonly agreement: number;
  /**
   * Cohen's kappa: agreement beyond what both would have by chance, 1 for all of it and 0 for none; undefined where
   * chance alone would make them agree always. Source: J. Cohen, A coefficient of agreement for nominal scales, 1960.
   */
  readonly kappa: number | undefined;
  /** Of figures: both means, and how far the judge's is from the person's, as a share of it (SchemaAgent, Figure 6). */
  readonly figures:
    | { readonly person: number; readonly judge: number; readonly errorRate: number | undefined }
    | undefined;
}

/** A person's verdicts against those of a judge. Plain JSON. */
export interface AgreementReport {
  readonly schemaVersion: 1;
  readonly person: string;
  readonly judge: string;
  readonly verdicts: readonly VerdictAgreement[];
  /** Ids that both judged otherwise, by name. */
  readonly differing: readonly {
    readonly name: string;
    readonly id: string;
    readonly person: VerdictValue;
    readonly judge: VerdictValue;
  }[];
  /** Ids with a verdict on one side alone. */
  readonly onlyPerson: readonly string[];
  readonly onlyJudge: readonly string[];
}

/** Figures that are nearer than this are the same: files round them. */
const SAME_FIGURE = 0.0005;

/**
 * Holds a person's verdicts against a judge's.
 *
 * @throws AskemaError `INPUT_INVALID` where they have no name and id in common.
 */
export function measureAgreement(person: Verdicts, judge: Verdicts): AgreementReport {
  const names = [...person.byName.keys()].filter((name) => judge.byName.has(name));
  const verdicts: VerdictAgreement[] = [];
  const differing: AgreementReport['differing'][number][] = [];
  for (const name of names) {
    const theirs = judge.byName.get(name) ?? new Map<string, VerdictValue>();
    const pairs = [...(person.byName.get(name) ?? [])].flatMap(([id, own]) => {
      const other = theirs.get(id);
      return other === undefined ? [] : [{ id, person: own, judge: other }];
    });
    if (pairs.length === 0) continue;
    verdicts.push(agreementOf(name, pairs));
    differing.push(...pairs.filter((pair) => !isSame(pair)).map((pair) => ({ name, ...pair })));
  }
  const [byPerson, byJudge] = [person, judge].map(
    ({ byName }) => new Set([...byName.values()].flatMap((each) => [...each.keys()])),
  ) as [Set<string>, Set<string>];
  if (verdicts.length === 0)
    throw new AskemaError(
      'INPUT_INVALID',
      `${person.name} (${[...person.byName.keys()].join(', ')}) and ${judge.name} (${[...judge.byName.keys()].join(', ')}) have no verdict of one name about one id.`,
    );
  return {
    schemaVersion: 1,
    person: person.name,
    judge: judge.name,
    verdicts,
    differing,
    onlyPerson: [...byPerson].filter((id) => !byJudge.has(id)),
    onlyJudge: [...byJudge].filter((id) => !byPerson.has(id)),
  };
}

interface VerdictPair {
  readonly person: VerdictValue;
  readonly judge: VerdictValue;
}

function isSame({ person, judge }: VerdictPair): boolean {
  return typeof person === 'number' && typeof judge === 'number'
    ? Math.abs(person - judge) < SAME_FIGURE
    : String(person) === String(judge);
}

function agreementOf(name: string, pairs: readonly VerdictPair[]): VerdictAgreement {
  const same = pairs.filter(isSame).length;
  const agreement = same / pairs.length;
  const expected = agreementByChance(pairs);
  const figures = pairs.flatMap(({ person, judge }) =>
    typeof person === 'number' && typeof judge === 'number' ? [{ person, judge }] : [],
  );
  return {
    name,
    judged: pairs.length,
    same,
    agreement,
    kappa: expected === 1 ? undefined : (agreement - expected) / (1 - expected),
    figures: figures.length === pairs.length ? meansOf(figures) : undefined,
  };
}

/** The share of pairs that would be the same if each side drew from its own verdicts. */
function agreementByChance(pairs: readonly VerdictPair[]): number {
  const word = (value: VerdictValue): string => (typeof value === 'number' ? value.toFixed(3) : value);
  const counts = new Map<string, { person: number; judge: number }>();
  const of = (value: string) => {
    const known = counts.get(value) ?? { person: 0, judge: 0 };
    counts.set(value, known);
    return known;
  };
  for (const { person, judge } of pairs) {
    of(word(person)).person += 1;
    of(word(judge)).judge += 1;
  }
  const products = [...counts.values()].map(({ person, judge }) => person * judge);
  return products.reduce((total, product) => total + product, 0) / pairs.length ** 2;
}

function meansOf(figures: readonly { readonly person: number; readonly judge: number }[]): VerdictAgreement['figures'] {
  const mean = (of: 'person' | 'judge'): number =>
    figures.reduce((total, pair) => total + pair[of], 0) / figures.length;
  const [person, judge] = [mean('person'), mean('judge')];
  return { person, judge, errorRate: person === 0 ? undefined : Math.abs(judge - person) / Math.abs(person) };
}

/** Beyond this, verdicts that differ are only counted. */
const LISTED = 20;

/** How far both agree, for a terminal, without colours. */
export function formatAgreement(report: AgreementReport): string {
  const { person, judge, verdicts, differing, onlyPerson, onlyJudge } = report;
  const hasFigures = verdicts.some(({ figures }) => figures !== undefined);
  const figure = (value: number | undefined): string => (value === undefined ? '-' : value.toFixed(3));
  const rows = verdicts.map(({ name, judged, same, agreement, kappa, figures }) => [
    name,
    String(judged),
    String(same),
    percent(agreement),
    kappa === undefined ? '-' : kappa.toFixed(2),
    ...(hasFigures ? [figure(figures?.person), figure(figures?.judge), percent(figures?.errorRate)] : []),
  ]);
  const columns = [
    '',
    'judged by both',
    'same',
    'agreement',
    'kappa',
    ...(hasFigures ? ['person', 'judge', 'error rate'] : []),
  ];
  const lines = differing
    .slice(0, LISTED)
    .map(({ name, id, person: own, judge: other }) => `  ${id}, ${name}: person ${own}, judge ${other}`);
  const rest = differing.length > LISTED ? [`  and ${differing.length - LISTED} more`] : [];
  return [
    `${judge} against ${person}`,
    ...textTable(columns, [rows]),
    ...(differing.length === 0 ? [] : ['Judged otherwise:', ...lines, ...rest]),
    ...(onlyPerson.length === 0 ? [] : [`Left out: ${counted(onlyPerson.length, 'id')} of the person alone.`]),
    ...(onlyJudge.length === 0 ? [] : [`Left out: ${counted(onlyJudge.length, 'id')} of the judge alone.`]),
  ].join('\n');
}
