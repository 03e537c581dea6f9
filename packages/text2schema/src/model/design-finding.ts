import type { SchemaRole } from './role-id.ts';

/** What code finds in a conceptual model or in a logical proposal. Codes are documented in docs/guide/text2schema.md. */
export interface DesignFinding {
  /** Kebab-case and stable: `relationship-has-id`, `entity-without-key`. */
  readonly code: string;
  /** With an open `error` the design does not go on. */
  readonly severity: 'error' | 'warning';
  /** The entity set, relationship set or attribute. */
  readonly subject: string;
  /** What is wrong, with names. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy: string;
  /** Who can mend it. */
  readonly role: SchemaRole;
}
