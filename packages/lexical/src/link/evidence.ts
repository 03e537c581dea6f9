import { type Attribute, foldName } from '@askema/core';
import { lemma } from '../tokenise/lemma.ts';
import type { Token } from '../tokenise/token.ts';
import { tokenise } from '../tokenise/tokenise.ts';
import type { LinkedCatalog } from './lattice.ts';
import type { TermMention, ValueLink, ValueMention } from './links.ts';

/** What a hint beside the question adds to what its words denote. */
export interface EvidenceLinks {
  readonly terms: readonly TermMention[];
  readonly values: readonly ValueMention[];
  /** Values that an answer must use: the hint says what a phrase of the question means. */
  readonly demandedValues: readonly string[];
  /** Clauses that this solver cannot follow, about phrases of the question. */
  readonly unread: readonly string[];
}

const NO_EVIDENCE: EvidenceLinks = { terms: [], values: [], demandedValues: [], unread: [] };

const MAX_CHARACTERS = 2_000;
const CLAUSE = /^(?:the\s+)?(.{1,120}?)\s+(?:refers?\s+to|means?|stands?\s+for)\s+(.{1,300})$/iu;
const equalityIn = (text: string) => /^[`"]?([\p{L}\p{N}_ .]{1,80}?)[`"]?\s*=\s*'([^']{1,200})'/u.exec(text);
const nameIn = (text: string) => /^[`"]?([\p{L}\p{N}_.]{1,80})[`"]?$/u.exec(text);
const CALCULATION = /\b(?:DIVIDE|MULTIPLY|SUBTRACT|ADD|PERCENT|CASE|IIF|STRFTIME|SUBSTR)\b|[*/]/iu;
/** Behind a condition: "attribute_name = 'Speed' where MIN(attribute_value)". */
const EXTREME = /\b(?:MIN|MAX|AVG|SUM|COUNT)\s*\(/iu;
const SKIPPED: ReadonlySet<string> = new Set(['the', 'a', 'an', 'of', 'is', 'are', 'to', 'with', 'have', 'has']);

/**
 * Reads hints of the form "female refers to gender = 'Female'; name refers to full_name" (as BIRD gives them). Clauses
 * about phrases that are not in the question are left out.
 */
export function readEvidence(
  evidence: string | undefined,
  tokens: readonly Token[],
  linked: LinkedCatalog,
): EvidenceLinks {
  if (evidence === undefined || evidence.trim() === '') return NO_EVIDENCE;
  const terms: TermMention[] = [];
  const values: ValueMention[] = [];
  const demandedValues: string[] = [];
  const unread: string[] = [];
  for (const clause of evidence.slice(0, MAX_CHARACTERS).split(/[;\n]/u)) {
    const match = CLAUSE.exec(clause.trim().replace(/\.$/u, ''));
    const [phrase, definition] = [match?.[1] ?? '', match?.[2]?.trim() ?? ''];
    if (!occurs(phrase, tokens)) continue;
    const span = spanOf(phrase, tokens);
    const equality = equalityIn(definition);
    const name = nameIn(definition);
    if (
      CALCULATION.test(definition.replaceAll(/'[^']*'/gu, '')) ||
      hasSecondCondition(definition) ||
      (equality !== null && EXTREME.test(definition.slice(equality[0].length)))
    )
      unread.push(clause.trim());
    else if (equality !== null) {
      demandedValues.push(equality[2] ?? '');
      const links = attributesCalled(equality[1] ?? '', linked).map(
        (attribute): ValueLink => ({
          relation: attribute.relation,
          attribute: attribute.id,
          value: equality[2] ?? '',
          cost: 0,
        }),
      );
      if (span !== undefined && links.length > 0) values.push({ ...span, text: phrase, quoted: true, links });
    } else if (name !== null && span !== undefined) {
      const links = attributesCalled(name[1] ?? '', linked).map(
        (attribute) => ({ kind: 'attribute', relation: attribute.relation, attribute: attribute.id, cost: 0 }) as const,
      );
      if (links.length > 0) terms.push({ ...span, text: phrase, plural: false, links });
    }
  }
  return { terms, values, demandedValues, unread };
}

/** A second condition is read only where it joins two columns: the keys of the schema say that already. */
function hasSecondCondition(definition: string): boolean {
  return definition
    .split(/\s+and\s+/iu)
    .slice(1)
    .some((condition) => !/^[\p{L}\p{N}_.`" ]+=\s*[\p{L}_`"][\p{L}\p{N}_.`" ]*$/u.test(condition));
}

/** `gender`, `person.gender`. */
function attributesCalled(name: string, { index }: LinkedCatalog): readonly Attribute[] {
  const parts = name.trim().split('.');
  const attributes = index.attributesNamed(parts[parts.length - 1] ?? '');
  const relation = parts.length > 1 ? foldName(parts[parts.length - 2] ?? '', index.relationComparison) : undefined;
  if (relation === undefined) return attributes;
  return attributes.filter(
    (attribute) => foldName(index.relation(attribute.relation)?.name ?? '', index.relationComparison) === relation,
  );
}

function contentOf(phrase: string): readonly string[] {
  return tokenise(phrase)
    .filter((token) => token.kind === 'word' || token.kind === 'number' || token.kind === 'quoted')
    .flatMap((token) => (token.kind === 'quoted' ? token.text.split(/\s+/u).map(lemma) : [token.lemma]))
    .filter((word) => !SKIPPED.has(word) && word !== 'be' && word !== 'have');
}

/** True when all content words of the phrase stand somewhere in the question. */
function occurs(phrase: string, tokens: readonly Token[]): boolean {
  const words = contentOf(phrase);
  const asked = new Set(
    tokens.flatMap((token) => (token.kind === 'quoted' ? token.text.split(/\s+/u).map(lemma) : [token.lemma])),
  );
  return words.length > 0 && words.every((word) => asked.has(word));
}

/** Where the phrase stands in one piece; words without content in between do not count. */
function spanOf(
  phrase: string,
  tokens: readonly Token[],
): { readonly start: number; readonly end: number } | undefined {
  const words = contentOf(phrase);
  for (let start = 0; start < tokens.length; start += 1) {
    let at = start;
    let matched = 0;
    while (at < tokens.length && matched < words.length) {
      const token = tokens[at];
      if (token?.lemma === words[matched]) matched += 1;
      else if (matched === 0 || !SKIPPED.has(token?.lower ?? '')) break;
      at += 1;
    }
    if (matched === words.length && matched > 0) return { start, end: at };
  }
  return undefined;
}
