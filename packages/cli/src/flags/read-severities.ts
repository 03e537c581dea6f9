import { AskemaError, checkChoice, didYouMean, FINDING_CODES, type Severity } from '@askema/core';
import { oneOf } from './one-of.ts';

/** What a rule may be set to. */
export type SeveritySetting = Severity | 'off';

const SETTINGS: readonly SeveritySetting[] = ['error', 'warning', 'note', 'off'];

/**
 * Severities by code, of `--severity CODE=SETTING` and of `lint.severities` in the configuration; the command line
 * wins.
 *
 * @throws AskemaError `INPUT_INVALID` for a flag that is no such pair, `CONFIG_INVALID` for an entry of the
 * configuration.
 */
export function readSeverities(
  flags: readonly string[],
  configured: Readonly<Record<string, unknown>> = {},
  ownCodes: readonly string[] = [],
): Readonly<Record<string, SeveritySetting>> {
  const severities: Record<string, SeveritySetting> = {};
  for (const [code, setting] of Object.entries(configured))
    severities[code] = check('CONFIG_INVALID', 'lint.severities', code, setting, ownCodes);
  for (const flag of flags) {
    const at = flag.indexOf('=');
    if (at < 1) {
      throw new AskemaError(
        'INPUT_INVALID',
        `--severity ${flag} names no severity: write CODE=${SETTINGS.join('|')}, for example --severity redundant-join=off.`,
      );
    }
    const code = flag.slice(0, at);
    severities[code] = check('INPUT_INVALID', '--severity', code, flag.slice(at + 1), ownCodes);
  }
  return severities;
}

function check(
  error: 'INPUT_INVALID' | 'CONFIG_INVALID',
  place: string,
  code: string,
  setting: unknown,
  ownCodes: readonly string[],
): SeveritySetting {
  const codes = [...FINDING_CODES, ...ownCodes];
  if (!codes.includes(code)) {
    throw new AskemaError(
      error,
      `\`${place}\`: there is no rule \`${code}\`. ${didYouMean(code, codes) || `Rules: ${codes.join(', ')}.`}`,
    );
  }
  return checkChoice(`${place} ${code}`, setting, SETTINGS, error);
}

/** What looks at a statement before it runs, as `--without` names it. */
export const INSPECTION_TOOLS = ['retriever', 'detector', 'planner'] as const;

export type InspectionTool = (typeof INSPECTION_TOOLS)[number];

/**
 * The tools that `--without` leaves out.
 *
 * @throws AskemaError `INPUT_INVALID` for another name, and when nothing would be left.
 */
export function readTools(without: readonly string[]): ReadonlySet<InspectionTool> {
  const off = new Set(without.map((name) => oneOf('--without', name, INSPECTION_TOOLS)));
  if (off.size < INSPECTION_TOOLS.length) return off;
  throw new AskemaError('INPUT_INVALID', '--without leaves nothing that could look at the statement.');
}
