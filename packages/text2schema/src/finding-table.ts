import type { DesignFinding, SchemaRole } from './model/index.ts';

/** A row of a table of codes. */
export interface DesignFindingCode {
  readonly severity: DesignFinding['severity'];
  /** Who can mend it. */
  readonly role: SchemaRole;
  /** What the code says, in one sentence without names. */
  readonly meaning: string;
}

/** Takes a finding: code, subject, what is wrong, what to do. */
export type FindingReporter<Code extends string> = (
  code: Code,
  subject: string,
  message: string,
  remedy: string,
) => void;

/** Makes the rows of what one role can mend. */
export function rowsFor(role: SchemaRole) {
  return {
    error: (meaning: string) => ({ severity: 'error', role, meaning }) as const,
    warning: (meaning: string) => ({ severity: 'warning', role, meaning }) as const,
  };
}

/** Writes findings to a list, with the severity and the role that their table says. */
export function reporterInto<Code extends string>(
  findings: DesignFinding[],
  table: Readonly<Record<Code, DesignFindingCode>>,
): FindingReporter<Code> {
  return (code, subject, message, remedy) => {
    const { severity, role } = table[code];
    findings.push({ code, severity, subject, message, remedy, role });
  };
}
