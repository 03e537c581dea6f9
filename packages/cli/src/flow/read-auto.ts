import { AskemaError, type ConfidenceTable, readConfidenceTable } from '@askema/core';
import type { AutoOptions, Effort } from '@askema/text2sql';
import type { LintConfig } from '../config/askema-config.ts';
import { oneOf } from '../flags/one-of.ts';
import { readTextFile } from '../flags/read-input.ts';
import { readSeverities } from '../flags/read-severities.ts';

/** Options of the `auto` flow. */
export interface AutoFlags {
  readonly effort?: string | undefined;
  /** A file with a table of confidence. */
  readonly confidence?: string | undefined;
  /** False for `--no-samples`. */
  readonly samples: boolean;
}

const EFFORTS: readonly Effort[] = ['low', 'medium', 'high'];

/**
 * What `--effort` says, with `lint` of the configuration. `--no-samples` promises that the model sees no values, and a
 * revision shows it a result: the effort is `low` then.
 *
 * Rejects with `INPUT_INVALID` for an unknown effort, for any but `low` with `--no-samples`, and for a file that cannot be
 * read; with `CONFIG_INVALID` for a file that holds no table.
 */
export async function readAuto(
  { effort, confidence, samples }: AutoFlags,
  cwd: string,
  { rules, severities }: LintConfig = {},
): Promise<AutoOptions> {
  const named = effort === undefined ? undefined : oneOf('--effort', effort, EFFORTS);
  const chosen = named ?? (samples ? undefined : 'low');
  if (!samples && chosen !== 'low')
    throw new AskemaError(
      'INPUT_INVALID',
      '--no-samples keeps values from the model, and the flow `auto` shows it results that are doubted. Only --effort low goes with it.',
    );
  const codes = (rules ?? []).map(({ code }) => code);
  return {
    ...(chosen === undefined ? {} : { effort: chosen }),
    ...(confidence === undefined ? {} : { confidence: await readTable(confidence, cwd) }),
    ...(rules === undefined && severities === undefined
      ? {}
      : {
          inspection: {
            ...(rules === undefined ? {} : { rules }),
            ...(severities === undefined ? {} : { severities: readSeverities([], severities, codes) }),
          },
        }),
  };
}

async function readTable(file: string, cwd: string): Promise<ConfidenceTable> {
  const text = await readTextFile(file, cwd, `--confidence ${file}`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new AskemaError('CONFIG_INVALID', `--confidence ${file} is no JSON: ${(cause as Error).message}`, { cause });
  }
  return readConfidenceTable(json);
}
