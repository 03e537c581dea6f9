import type { Access, Parameter } from '@askema/core';

/** A statement, as every driver's process is asked to run it. */
export interface StatementRequest {
  readonly type: 'query';
  readonly sql: string;
  readonly access: Access;
  readonly parameters?: readonly Parameter[] | Readonly<Record<string, Parameter>> | undefined;
  readonly maxRows: number;
  readonly maxBytes: number;
}

/** Why a request failed, as far as it is not the engine that says so. */
export type ProcessFailure =
  | { readonly kind: 'refused'; readonly code: 'QUERY_REFUSED' | 'QUERY_NOT_READ_ONLY'; readonly message: string }
  | { readonly kind: 'parameters'; readonly message: string }
  | { readonly kind: 'internal'; readonly message: string };
