import type { InspectionFinding } from '@askema/core';
import { percent } from './false-alarms.ts';
import { MUTATION_CLASSES, type MutationClass } from './mutation.ts';
import type { KeptMutation } from './mutations.ts';

interface Tally {
  all: number;
  found: number;
  asError: number;
}

/** How many of the broken statements something is said about that was not said about the right one. */
export class Recall {
  readonly name: string;
  readonly #tallies = new Map<string, Tally>();
  readonly #missed: { readonly kind: MutationClass; readonly text: string }[] = [];

  constructor(name: string) {
    this.name = name;
  }

  add(
    id: string,
    gold: { readonly sql: string; readonly findings: readonly InspectionFinding[] },
    mutation: KeptMutation,
    findings: readonly InspectionFinding[],
  ): void {
    const isFound = isNew(gold.findings, findings, (finding) => finding.severity !== 'note');
    const isError = isNew(gold.findings, findings, (finding) => finding.severity === 'error');
    for (const key of [mutation.kind, `${mutation.kind}: ${mutation.subKind}`]) {
      const tally = this.#tallies.get(key) ?? { all: 0, found: 0, asError: 0 };
      tally.all += 1;
      if (isFound) tally.found += 1;
      if (isError) tally.asError += 1;
      this.#tallies.set(key, tally);
    }
    if (isFound) return;
    const said = findings.map(({ code, severity }) => `${severity} ${code}`).join(', ') || 'nothing';
    const line = (sql: string): string => sql.replaceAll(/\s+/g, ' ').trim();
    this.#missed.push({
      kind: mutation.kind,
      text: `${id}, ${mutation.subKind}, said: ${said}\n    right:  ${line(gold.sql)}\n    broken: ${line(mutation.sql)}`,
    });
  }

  rows(): readonly Readonly<Record<string, string | number>>[] {
    return [...this.#tallies]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { all, found, asError }]) => ({
        set: this.name,
        mistake: name,
        statements: all,
        found,
        recall: percent(found, all),
        'as error': percent(asError, all),
      }));
  }

  missed(kind: string): readonly string[] {
    return this.#missed.filter((one) => one.kind === kind).map(({ text }) => `${this.name}, ${text}`);
  }

  /** Classes of which less than nine in ten are found. */
  underBar(): readonly MutationClass[] {
    return MUTATION_CLASSES.filter((kind) => {
      const { all = 0, found = 0 } = this.#tallies.get(kind) ?? {};
      return found / Math.max(1, all) < 0.9;
    });
  }

  get statements(): number {
    return MUTATION_CLASSES.reduce((sum, kind) => sum + (this.#tallies.get(kind)?.all ?? 0), 0);
  }
}

/** True when some rule says more often what it says, among the findings that count. */
function isNew(
  before: readonly InspectionFinding[],
  after: readonly InspectionFinding[],
  counts: (finding: InspectionFinding) => boolean,
): boolean {
  const times = (findings: readonly InspectionFinding[], code: string): number =>
    findings.filter((finding) => finding.code === code && counts(finding)).length;
  return after.some(({ code }) => times(after, code) > times(before, code));
}
