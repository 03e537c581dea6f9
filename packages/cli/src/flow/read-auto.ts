import { readFile } from 'node:fs/promises';
import { AskemaError, type ConfidenceTable, readConfidenceTable } from '@askema/core';
import type { AutoOptions, Effort } from '@askema/text2sql';
import type { LintConfig } from '../config/askema-config.ts';
import { oneOf } from '../flags/one-of.ts';
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
 * Rejects with `INPUT_INVALID` for an unknown effort, for another one than `low` with `--no-samples`, and for a file
 * that cannot be read; with `CONFIG_INVALID` for one that holds no table.
 */
export async function readAuto(
  { effort, confidence, samples }: AutoFlags,
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
    ...(confidence === undefined ? {} : { confidence: await readTable(confidence) }),
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

async function readTable(file: string): Promise<ConfidenceTable> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new AskemaError('INPUT_INVALID', `--confidence: ${error.message}`);
  });
  try {
    return readConfidenceTable(JSON.parse(text));
  } catch (thrown) {
    if (thrown instanceof AskemaError) throw thrown;
    throw new AskemaError(
      'CONFIG_INVALID',
      `--confidence ${JSON.stringify(file)} is no JSON: ${(thrown as Error).message}`,
    );
  }
}
