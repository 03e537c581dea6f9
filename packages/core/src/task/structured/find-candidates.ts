import { findBareJson, lastFirst } from './bare-json.ts';
import { fencedBlocks } from './fenced-blocks.ts';
import { stripReasoning } from './strip-reasoning.ts';

/** A piece of a model's answer that may be the value that was asked for. */
export interface Candidate {
  readonly text: string;
  readonly syntax: 'json' | 'yaml';
  /** False when its end is missing. */
  readonly complete: boolean;
  /** False for what must be right as it stands. */
  readonly repairable: boolean;
}

const JSON_LANGUAGES = ['json', 'jsonc', 'json5', 'javascript', 'js'];
const YAML_LANGUAGES = ['yaml', 'yml'];
/** Blocks that say nothing, or something that stands for nothing. */
const NO_LANGUAGE = ['', 'text', 'txt', 'plaintext', 'output'];
/** More than any honest answer holds. */
const MAX_CANDIDATES = 40;

/**
 * Where in an answer the value may stand, the most likely first: the whole text when it is JSON; fenced blocks, the last one first; objects
 * and arrays in prose, the last one first; YAML behind a sentence of introduction. Thoughts are left out.
 */
export function findCandidates(text: string): readonly Candidate[] {
  const whole = text.trim();
  const answer = stripReasoning(text).trim();
  const candidates: Candidate[] = [];
  if (/^[[{"]/.test(whole)) candidates.push({ text: whole, syntax: 'json', complete: true, repairable: false });
  candidates.push(...fencedCandidates(answer), ...bareCandidates(answer), ...bareYaml(answer));
  const seen = new Set<string>();
  return candidates
    .filter((candidate) => {
      const identity = `${candidate.syntax} ${candidate.repairable} ${candidate.text}`;
      return candidate.text.trim() !== '' && !seen.has(identity) && seen.add(identity);
    })
    .slice(0, MAX_CANDIDATES);
}

function fencedCandidates(answer: string): readonly Candidate[] {
  return [...fencedBlocks(answer)].reverse().flatMap(({ language, text, complete }): Candidate[] => {
    const trimmed = text.trim();
    const json: Candidate = { text: trimmed, syntax: 'json', complete, repairable: true };
    // In YAML leading blanks are indentation, and a block scalar at the end keeps its last line break.
    const yaml: Candidate = { text: `${text.replace(/^\s*\n/, '')}\n`, syntax: 'yaml', complete, repairable: true };
    const startsLikeJson = /^[[{"]/.test(trimmed);
    if (YAML_LANGUAGES.includes(language)) return [yaml];
    if (JSON_LANGUAGES.includes(language)) return startsLikeJson ? [json] : [yaml];
    if (!NO_LANGUAGE.includes(language)) return [];
    if (startsLikeJson) return [json];
    return looksLikeMapping(trimmed) ? [yaml] : [];
  });
}

function bareCandidates(answer: string): readonly Candidate[] {
  const pieces = findBareJson(answer);
  const candidate = (start: number, end: number, complete: boolean): Candidate => ({
    text: answer.slice(start, end).trim(),
    syntax: 'json',
    complete,
    repairable: true,
  });
  const lastBrace = answer.lastIndexOf('}') + 1;
  return lastFirst(pieces).flatMap(({ start, end, complete }) => {
    const whole = candidate(start, end, complete);
    // An object whose quotes are so wrong that its end was not seen: to the last brace, without the prose behind it.
    return complete || lastBrace <= start ? [whole] : [whole, candidate(start, lastBrace, false)];
  });
}

const MAPPING_LINE = /^[A-Za-z_][\w-]*[ \t]*:(?:\s|$)/m;

function looksLikeMapping(text: string): boolean {
  return text.search(MAPPING_LINE) === 0;
}

/** The text from its first line of the form `key: …` on: YAML behind a sentence of introduction. */
function bareYaml(answer: string): readonly Candidate[] {
  const start = answer.search(MAPPING_LINE);
  return start < 0 ? [] : [{ text: answer.slice(start), syntax: 'yaml', complete: false, repairable: true }];
}
