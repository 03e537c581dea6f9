import type { Dialect, InspectionFinding } from '@askema/core';
import { applyFixes } from '../inspect/findings.ts';
import type { ResolvedQuery } from '../resolve/resolved-query.ts';
import { BUILT_IN_RULES } from '../rules/built-in-rules.ts';
import { type ResolveStatementOptions, statementResolver } from './resolve-statement.ts';

/** What rules of some codes say of a statement. */
interface RuleFindings {
  readonly findings: readonly InspectionFinding[];
  /** `code severity: slice` of each finding. */
  readonly lines: readonly string[];
  /** The statement with all fixes applied. */
  readonly fixed: string;
}

/** For tests: runs the built-in rules of these codes over statements of the shop. */
export function ruleRunner(dialect: Dialect) {
  const { resolve } = statementResolver(dialect);
  return {
    async run(codes: readonly string[], sql: string, options: ResolveStatementOptions = {}): Promise<RuleFindings> {
      const query = await resolve(sql, options);
      const findings = codes.flatMap((code) => findingsOfRule(query, code));
      const lines = findings.map(
        ({ code, severity, span }) => `${code} ${severity}: ${query.sql.slice(span.start, span.end)}`,
      );
      return { findings, lines, fixed: applyFixes(sql, findings).sql };
    },
  };
}

function findingsOfRule(query: ResolvedQuery, code: string): InspectionFinding[] {
  const rule = BUILT_IN_RULES.find((one) => one.code === code);
  if (rule === undefined) throw new Error(`No rule ${code}.`);
  return [...rule.check(query)].map((found) => ({
    ...found,
    code: rule.code,
    severity: found.severity ?? rule.severity,
  }));
}
