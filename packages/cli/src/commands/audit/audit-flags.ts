export const AUDIT_FORMATS = ['table', 'jsonl'] as const;
export const AUDIT_OUTCOMES = ['done', 'refused', 'failed', 'cancelled', 'open'] as const;

export interface AuditFlags {
  readonly since?: string | undefined;
  readonly caller?: string | undefined;
  readonly tenant?: string | undefined;
  readonly database?: string | undefined;
  readonly outcome?: (typeof AUDIT_OUTCOMES)[number] | undefined;
  readonly limit?: string | undefined;
  readonly format: (typeof AUDIT_FORMATS)[number];
  readonly file?: string | undefined;
  readonly config?: string | undefined;
}
