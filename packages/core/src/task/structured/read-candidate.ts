import { jsonrepair } from 'jsonrepair';
import { parse as parseYaml } from 'yaml';
import type { Candidate } from './find-candidates.ts';

/** A value, or why there is none. */
export type ReadValue =
  | { readonly ok: true; readonly value: unknown; readonly repaired: boolean }
  | { readonly ok: false; readonly message: string };

/** Repairing costs more than linear time on hostile text. */
const MAX_REPAIR_LENGTH = 64_000;

/** Reads a candidate as it stands, and repaired if that is allowed and needed. Never throws. */
export function readCandidate(candidate: Candidate, allowRepair: boolean): ReadValue {
  const asItStands = attempt(() => parse(candidate.syntax, candidate.text), false);
  if (asItStands.ok || !allowRepair || !candidate.repairable || candidate.text.length > MAX_REPAIR_LENGTH)
    return asItStands;
  if (candidate.syntax === 'json' && hasEllipsis(candidate.text)) return asItStands;
  const repaired = attempt(() => parse(candidate.syntax, repair(candidate)), true);
  return repaired.ok ? repaired : asItStands;
}

function attempt(read: () => unknown, repaired: boolean): ReadValue {
  try {
    return { ok: true, value: read(), repaired };
  } catch (error) {
    // Also a RangeError, for text that is nested too deep.
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, message: message.split('\n')[0] ?? message };
  }
}

function parse(syntax: Candidate['syntax'], text: string): unknown {
  // YAML 1.2: `no` and dates stay text.
  return syntax === 'json' ? JSON.parse(text) : parseYaml(text, { version: '1.2', schema: 'core', logLevel: 'error' });
}

function repair(candidate: Candidate): string {
  return candidate.syntax === 'json' ? jsonrepair(keepBackslashes(candidate.text)) : quotePlainTexts(candidate.text);
}

/** `[1, 2, ...]` leaves something out: to drop the dots would make less than the answer of it. */
function hasEllipsis(json: string): boolean {
  return /\.\.\.|…/.test(json.replaceAll(/"(?:[^"\\]|\\.)*"/gs, ''));
}

/** `\d` in a string is no JSON; the backslash was meant, so it is kept, where the repair would drop it. */
function keepBackslashes(json: string): string {
  return json.replaceAll(/\\(?:(["\\/bfnrt'`\n\r]|u[0-9a-fA-F]{4})|)/g, (match: string, valid: string | undefined) =>
    valid === undefined ? '\\\\' : match,
  );
}

/** `explanation: two readings: a and b` is no YAML: a text with a colon inside needs quotes. Only lines that are not indented. */
function quotePlainTexts(yaml: string): string {
  return yaml.replaceAll(
    /^([A-Za-z_][\w-]*[ \t]*:[ \t]+)([^\s"'|>[{&*!%@`#].*:(?:[ \t].*)?)$/gm,
    (_line, key: string, text: string) => `${key}${JSON.stringify(text.trimEnd())}`,
  );
}
