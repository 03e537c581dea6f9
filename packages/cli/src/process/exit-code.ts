/** What the process says to its caller. */
export const EXIT = {
  /** The question was answered, the command did its work. */
  ok: 0,
  /** It was tried, and there is no answer. */
  failed: 1,
  /** Wrong usage, a bad input, a bad configuration: trying again changes nothing. */
  usage: 2,
  /** Stopped by Ctrl-C: 128 + SIGINT, as shells count. */
  interrupted: 130,
} as const;

/** Codes of errors that the caller can only mend by calling differently. */
const USAGE_CODES: ReadonlySet<string> = new Set([
  'INPUT_INVALID',
  'CONFIG_INVALID',
  'CAPABILITY_UNSUPPORTED',
  'DEPENDENCY_MISSING',
  'CONTRACT_MISMATCH',
  'DATABASE_NOT_FOUND',
  'DATABASE_INVALID',
  'DATASET_INVALID',
  'FLOW_INVALID',
  'KNOWLEDGE_INVALID',
  'TASK_UNSUPPORTED',
]);

/** The exit code for an error of this code. */
export function exitCodeOf(errorCode: string): number {
  if (errorCode === 'ABORTED') return EXIT.interrupted;
  return USAGE_CODES.has(errorCode) ? EXIT.usage : EXIT.failed;
}
