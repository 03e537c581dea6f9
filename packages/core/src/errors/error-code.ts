/**
 * Every code an {@link AskemaError} can carry. The list is closed: `docs/errors.md` explains each one, and a test
 * keeps the two in step.
 */
export const ERROR_CODES = [
  // Input and configuration
  'INPUT_INVALID',
  'CONFIG_INVALID',
  'CAPABILITY_UNSUPPORTED',
  'DEPENDENCY_MISSING',
  'CONTRACT_MISMATCH',
  // Databases
  'DATABASE_NOT_FOUND',
  'DATABASE_INVALID',
  'DATABASE_CORRUPT',
  'DATABASE_LOCKED',
  'DATABASE_UNAVAILABLE',
  'DATABASE_CLOSED',
  'QUERY_FAILED',
  'QUERY_TIMEOUT',
  'QUERY_NOT_READ_ONLY',
  'QUERY_REFUSED',
  // Answers
  'ANSWER_UNCONFIRMED',
  // Schemas
  'SCHEMA_INVALID',
  // Knowledge
  'KNOWLEDGE_INVALID',
  'METRIC_REFUSED',
  // Models
  'MODEL_AUTHENTICATION',
  'MODEL_CONTENT_FILTERED',
  'MODEL_CONTEXT_TOO_LONG',
  'MODEL_NOT_FOUND',
  'MODEL_OUTPUT_INVALID',
  'MODEL_RATE_LIMITED',
  'MODEL_REQUEST_FAILED',
  'MODEL_REQUEST_INVALID',
  'MODEL_TIMEOUT',
  'MODEL_UNAVAILABLE',
  'BUDGET_EXCEEDED',
  'RECORDING_MISSING',
  // Tasks and flows
  'TASK_UNSUPPORTED',
  'FLOW_INVALID',
  'FLOW_STEP_LIMIT',
  'FLOW_CHANGED',
  'FLOW_NOT_DETERMINISTIC',
  'FLOW_SUSPENDED',
  'JOURNAL_INVALID',
  'JOURNAL_LOCKED',
  // Evaluation
  'DATASET_INVALID',
  // Servers
  'CALLER_UNKNOWN',
  'CALLER_UNCHECKED',
  'CALLER_REFUSED',
  'LIMIT_EXCEEDED',
  'ROUTE_NOT_FOUND',
  'RUN_NOT_FOUND',
  'REQUEST_CONFLICT',
  'REQUEST_TOO_LARGE',
  'SERVER_CLOSING',
  // Everywhere
  'ABORTED',
  'INTERNAL',
] as const;

/** A code of {@link ERROR_CODES}. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * What kind of mistake a database found, the same for every vendor. Repair loops decide by it; adapters map their
 * vendor's codes to it through the dialect (ReFoRCE, section 3.2.3, Algorithm 1).
 */
export type ErrorClass =
  | 'identifier'
  | 'syntax'
  | 'function'
  | 'type'
  | 'constraint'
  | 'permission'
  | 'timeout'
  | 'empty'
  | 'other';
