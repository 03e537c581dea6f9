import { FINDING_CODES, type InspectionFinding, type Severity } from '@askema/core';

export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

/** How often each rule speaks up on statements that are right. */
export class FalseAlarms {
  readonly name: string;
  #statements = 0;
  readonly #hits = new Map<string, string[]>();

  constructor(name: string) {
    this.name = name;
  }

  add(id: string, sql: string, findings: readonly InspectionFinding[]): void {
    this.#statements += 1;
    // A rule counts once for a statement, by the worst that it says.
    const worst = new Map<string, InspectionFinding>();
    for (const finding of findings) {
      const before = worst.get(finding.code);
      if (before === undefined || SEVERITIES.indexOf(finding.severity) < SEVERITIES.indexOf(before.severity))
        worst.set(finding.code, finding);
    }
    for (const { code, severity, message, span } of worst.values()) {
      const key = `${code} ${severity}`;
      const hits = this.#hits.get(key) ?? [];
      hits.push(`${id}: ${message}\n    at "${sql.slice(span.start, span.end)}"\n    ${sql.replaceAll(/\s+/g, ' ')}`);
      this.#hits.set(key, hits);
    }
  }

  get statements(): number {
    return this.#statements;
  }

  /** One line for each rule and severity that spoke up, the most frequent first within a severity. */
  rows(): readonly Readonly<Record<string, string | number>>[] {
    return SEVERITIES.flatMap((severity) =>
      FINDING_CODES.map((code) => ({ code, severity, count: this.count(code, severity) }))
        .filter(({ count }) => count > 0)
        .sort((a, b) => b.count - a.count)
        .map(({ code, count }) => ({
          set: this.name,
          rule: code,
          severity,
          count,
          share: percent(count, this.#statements),
        })),
    );
  }

  count(code: string, severity: Severity): number {
    return this.#hits.get(`${code} ${severity}`)?.length ?? 0;
  }

  /** The statements on which a rule spoke up. */
  list(code: string): readonly string[] {
    return SEVERITIES.flatMap((severity) =>
      (this.#hits.get(`${code} ${severity}`) ?? []).map((hit) => `${this.name}, ${severity} ${code}, ${hit}`),
    );
  }

  /** Rules that call at least one statement in a hundred an error. */
  overBar(): readonly string[] {
    return FINDING_CODES.filter((code) => this.count(code, 'error') / this.#statements >= 0.01);
  }
}

export function percent(count: number, of: number): string {
  return of === 0 ? '-' : `${((100 * count) / of).toFixed(1)} %`;
}
