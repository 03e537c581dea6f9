import { countTokensRoughly } from '@askema/core';
import { createBm25 } from '@askema/grounding';
import { type Passage, splitPassages, TARGET_CHARACTERS } from './split-passages.ts';

export interface SelectPassagesOptions {
  readonly maxTokens: number;
  /** Default: core's estimate. Has to be about additive. */
  readonly countTokens?: ((text: string) => number) | undefined;
}

/** A document that is not shown whole. */
export interface OmittedPassages {
  readonly name: string;
  /** How many of its passages are left out. */
  readonly passages: number;
  readonly of: number;
}

/** Documents as prompt text; not fenced yet. */
export interface SelectedPassages {
  /** Empty when there is nothing to show, or no room for anything. */
  readonly text: string;
  readonly omitted: readonly OmittedPassages[];
}

interface Placed extends Passage {
  readonly document: number;
}

/** What a passage gains from the better one of its neighbours, as a share of that one's score. */
const NEIGHBOUR_SHARE = 0.4;

/** A passage is never meant to be shorter than this. */
const LEAST_CHARACTERS = 120;

/** A heading says what all below it is about. */
const HEADING_WEIGHT = 2;

/** Left-out documents that are named in the text. */
const MAX_NAMED = 10;
const MAX_NAME_CHARACTERS = 120;

/**
 * What of the documents goes into a prompt: everything where that fits, else the passages nearest to the question (BM25
 * over their words and headings), with their neighbours, in the order of the documents, each under its headings. The
 * text says where something is left out, and so does `omitted`. Room that is left is filled in the order of the
 * documents. Pure and, but for sorting, linear.
 */
export function selectPassages(
  documents: readonly ExternalDocument[],
  question: string,
  { maxTokens, countTokens = countTokensRoughly }: SelectPassagesOptions,
): SelectedPassages {
  const filled = documents.filter(({ text }) => text.trim() !== '');
  if (filled.length === 0) return { text: '', omitted: [] };
  const whole = filled.map((document) => `${titleOf(document)}\n\n${document.text.trim()}`).join('\n\n');
  if (countTokens(whole) <= maxTokens) return { text: whole, omitted: [] };

  // Where there is little room, passages are small: one of the usual size would take it all.
  const target = Math.min(TARGET_CHARACTERS, Math.max(LEAST_CHARACTERS, Math.floor(maxTokens / 2)));
  const passages = filled.flatMap(({ text }, document) =>
    splitPassages(text, target).map((passage): Placed => ({ ...passage, document })),
  );
  const order = rank(filled, passages, question);
  const chosen = choose(filled, passages, order, maxTokens, countTokens);
  for (;;) {
    const text = render(filled, passages, chosen);
    if (chosen.size === 0) return { text: '', omitted: omittedOf(filled, passages, chosen) };
    const over = countTokens(text) - maxTokens;
    if (over <= 0) return { text, omitted: omittedOf(filled, passages, chosen) };
    // The count of the whole is more than that of its parts; the worst ones go.
    let freed = 0;
    for (const position of [...chosen].reverse()) {
      if (freed >= over) break;
      chosen.delete(position);
      freed += Math.max(1, countTokens(passages[position]?.text ?? ''));
    }
  }
}

/** All passages, best first. */
function rank(documents: readonly ExternalDocument[], passages: readonly Placed[], question: string): number[] {
  const index = createBm25(
    passages.map(({ document, headings, text }) => [
      {
        text: [documents[document]?.name ?? '', ...headings.map(({ line }) => line)].join(' '),
        weight: HEADING_WEIGHT,
      },
      { text, weight: 1 },
    ]),
  );
  const own = passages.map(() => 0);
  for (const { document: position, score } of index.rank(question)) own[position] = score;
  const near = (position: number, other: number): number =>
    passages[position]?.document === passages[other]?.document ? (own[other] ?? 0) : 0;
  const scores = own.map((score, at) => score + NEIGHBOUR_SHARE * Math.max(near(at, at - 1), near(at, at + 1)));
  return passages.map((_, position) => position).sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
}

/** Positions that fit together, in the order in which they were taken: the last one is the least wanted. */
function choose(
  documents: readonly ExternalDocument[],
  passages: readonly Placed[],
  order: readonly number[],
  maxTokens: number,
  countTokens: (text: string) => number,
): Set<number> {
  const chosen = new Set<number>();
  const shown = new Set<object>();
  const gapTokens = countTokens(`\n\n${gapLine(passages.length)}\n\n`);
  let room = maxTokens - gapTokens - countTokens(lastLine(documents));
  for (const position of order) {
    const passage = passages[position];
    const document = passage && documents[passage.document];
    if (passage === undefined || document === undefined) continue;
    const heads = [...passage.headings].filter((heading) => !shown.has(heading));
    let tokens = gapTokens + countTokens(passage.text);
    for (const { line } of heads) tokens += countTokens(`${line}\n\n`);
    if (!shown.has(document)) tokens += countTokens(`${titleOf(document)}\n\n`);
    if (tokens > room) continue;
    room -= tokens;
    chosen.add(position);
    for (const head of [...heads, document]) shown.add(head);
  }
  return chosen;
}

function render(
  documents: readonly ExternalDocument[],
  passages: readonly Placed[],
  chosen: ReadonlySet<number>,
): string {
  const parts: string[] = [];
  const shown = new Set<object>();
  let skipped = 0;
  let current: ExternalDocument | undefined;
  const closeGap = (): void => {
    if (skipped > 0 && current !== undefined) parts.push(gapLine(skipped));
    skipped = 0;
  };
  for (const [position, passage] of passages.entries()) {
    const document = documents[passage.document];
    const before = passages[position - 1]?.document;
    if (before !== undefined && before !== passage.document) {
      closeGap();
      current = undefined;
    }
    if (!chosen.has(position)) {
      skipped += 1;
      continue;
    }
    if (current === undefined && document !== undefined) {
      parts.push(titleOf(document));
      current = document;
    }
    closeGap();
    for (const heading of passage.headings) if (!shown.has(heading)) parts.push(heading.line);
    for (const heading of passage.headings) shown.add(heading);
    parts.push(passage.text);
  }
  closeGap();
  const shownDocuments = new Set([...chosen].map((position) => passages[position]?.document));
  const absent = documents.filter((_, document) => !shownDocuments.has(document));
  if (absent.length > 0) parts.push(lastLine(absent));
  return parts.join('\n\n');
}

function omittedOf(
  documents: readonly ExternalDocument[],
  passages: readonly Placed[],
  chosen: ReadonlySet<number>,
): readonly OmittedPassages[] {
  const counts = documents.map(() => ({ of: 0, passages: 0 }));
  for (const [position, { document }] of passages.entries()) {
    const count = counts[document];
    if (count === undefined) continue;
    count.of += 1;
    if (!chosen.has(position)) count.passages += 1;
  }
  return documents.flatMap(({ name }, document) => {
    const { passages: left = 0, of = 0 } = counts[document] ?? {};
    return left === 0 ? [] : [{ name, passages: left, of }];
  });
}

function titleOf({ name }: ExternalDocument): string {
  return `=== ${shortName(name)} ===`;
}

function gapLine(passages: number): string {
  return `[… ${passages} ${passages === 1 ? 'passage' : 'passages'} left out …]`;
}

function lastLine(documents: readonly ExternalDocument[]): string {
  const names = documents.slice(0, MAX_NAMED).map(({ name }) => shortName(name));
  const rest = documents.length - names.length;
  return `[… left out whole: ${names.join(', ')}${rest > 0 ? `, and ${rest} more` : ''} …]`;
}

function shortName(name: string): string {
  const line = name.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MAX_NAME_CHARACTERS ? line : `${line.slice(0, MAX_NAME_CHARACTERS)}…`;
}

/**
 * A document that a question takes for granted: a glossary, a formula, the manual of a data set. Markdown or plain
 * text.
 */
export interface ExternalDocument {
  /** For the prompt and for messages: a file name or a title. */
  readonly name: string;
  readonly text: string;
}
