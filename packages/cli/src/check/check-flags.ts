import { AskemaError, CHECK_DEFAULTS } from '@askema/core';
import type { ReportFormat } from '../format/output-formats.ts';
import { parseDuration } from '../terminal/duration.ts';
import { parseCount } from '../terminal/parse-count.ts';

/** The options of `askema schema` that belong to `--check`. */
export interface CheckFlags {
  readonly check?: boolean | undefined;
  readonly data?: boolean | undefined;
  readonly maxRows?: string | undefined;
  readonly timeout?: string | undefined;
  readonly format: string;
  readonly dialect?: string | undefined;
}

/** What is to be looked at, and how it is printed. */
export interface CheckRequest {
  readonly data: boolean;
  readonly maxRows: number;
  /** For the rows of one table. */
  readonly timeoutMs: number;
  readonly format: ReportFormat;
}

/**
 * Undefined without `--check`.
 *
 * @throws AskemaError `INPUT_INVALID` for options that do not go together, and for counts and times that are none.
 */
export function readCheckFlags(flags: CheckFlags): CheckRequest | undefined {
  if (flags.check !== true) {
    for (const name of ['data', 'maxRows', 'timeout'] as const)
      if (flags[name] !== undefined) throw goesWith(optionOf(name), '--check');
    return undefined;
  }
  if (flags.data !== true)
    for (const name of ['maxRows', 'timeout'] as const)
      if (flags[name] !== undefined) throw goesWith(optionOf(name), '--data, which looks at rows');
  if (flags.dialect !== undefined)
    throw new AskemaError('INPUT_INVALID', '--dialect goes with --format ddl, prisma or drizzle, not with --check.');
  if (flags.format !== 'text' && flags.format !== 'json')
    throw new AskemaError('INPUT_INVALID', `--check is printed as text or json, not as ${flags.format}.`);
  return {
    data: flags.data === true,
    maxRows: flags.maxRows === undefined ? CHECK_DEFAULTS.maxRows : parseCount(flags.maxRows, '--max-rows'),
    timeoutMs: flags.timeout === undefined ? CHECK_DEFAULTS.timeoutMs : parseDuration(flags.timeout, '--timeout'),
    format: flags.format,
  };
}

function optionOf(name: 'data' | 'maxRows' | 'timeout'): string {
  return name === 'maxRows' ? '--max-rows' : `--${name}`;
}

function goesWith(option: string, other: string): AskemaError {
  return new AskemaError('INPUT_INVALID', `${option} goes with ${other}; give both.`);
}
