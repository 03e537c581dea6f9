import { findBareJson, lastFirst } from './bare-json.ts';

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
 * Where in an answer the value may stand, the most likely first: the whole text when it is JSON; fenced blocks, the
 * last one first; objects and arrays in prose, the last one first; YAML behind a sentence of introduction. Thoughts are
 * left out. They are looked for as they are asked for: most answers are JSON as a whole.
 */
export function* findCandidates(text: string): Generator<Candidate, void, void> {
  const seen = new Set<string>();
  for (const candidate of candidatesIn(text)) {
    const identity = `${candidate.syntax} ${candidate.repairable} ${candidate.text}`;
    if (candidate.text.trim() === '' || seen.has(identity)) continue;
    seen.add(identity);
    yield candidate;
    if (seen.size === MAX_CANDIDATES) return;
  }
}

function* candidatesIn(text: string): Generator<Candidate, void, void> {
  const whole = text.trim();
  if (/^[[{"]/.test(whole)) yield { text: whole, syntax: 'json', complete: true, repairable: false };
  const answer = stripReasoning(text).trim();
  yield* fencedCandidates(answer);
  yield* bareCandidates(answer);
  yield* bareYaml(answer);
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

/** A fenced code block of Markdown. */
interface FencedBlock {
  /** The first word behind the fence, in lower case; empty when there is none. */
  readonly language: string;
  readonly text: string;
  /** False when the text ended before the fence was closed. */
  readonly complete: boolean;
}

/**
 * The fenced blocks of a text, in order (CommonMark 0.31, section 4.5; indentation does not matter). A fence is closed
 * by a line of the same marks, at least as many.
 */
function fencedBlocks(text: string): readonly FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: { readonly fence: string; readonly language: string; readonly lines: string[] } | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, fence = '', info = ''] = /^[ \t>]*(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      // Backticks in the info mean that the block is closed on its own line: that is inline code.
      if (fence !== '' && !info.includes('`')) open = { fence, language: languageOf(info), lines: [] };
    } else if (fence.startsWith(open.fence) && info.trim() === '') {
      blocks.push({ language: open.language, text: open.lines.join('\n'), complete: true });
      open = undefined;
    } else open.lines.push(line);
  }
  if (open !== undefined) blocks.push({ language: open.language, text: open.lines.join('\n'), complete: false });
  return blocks;
}

function languageOf(info: string): string {
  return /[A-Za-z0-9+#.-]+/.exec(info)?.[0].toLowerCase() ?? '';
}

const TAGS = ['think', 'thinking', 'reasoning', 'thought'];

/**
 * Without the thoughts that a local server left in the text: `<think>…</think>`, also when the opening tag is missing
 * (chat templates write it into the prompt), and everything behind a tag that is never closed. A draft in there is no
 * answer.
 */
function stripReasoning(text: string): string {
  return TAGS.reduce((rest, tag) => stripTag(rest, `<${tag}>`, `</${tag}>`), text);
}

function stripTag(text: string, open: string, close: string): string {
  const kept: string[] = [];
  let position = 0;
  while (position < text.length) {
    const closed = text.indexOf(close, position);
    const opened = text.indexOf(open, position);
    if (closed >= 0 && (opened < 0 || closed < opened)) {
      // Closed without being opened: all before it was thought.
      kept.length = 0;
      position = closed + close.length;
      continue;
    }
    if (opened < 0) break;
    kept.push(text.slice(position, opened));
    position = closed < 0 ? text.length : closed + close.length;
  }
  kept.push(text.slice(position));
  return kept.join('');
}
