import type { SchemaIndex, ValueMatch } from '@askema/core';
import type { Token } from '../tokenise/token.ts';
import type { ValueLink, ValueMention } from './links.ts';

/** Tokens of the longest cell that is looked for outside of quotation marks. */
const MAX_TOKENS = 14;
/** Cells that one piece may mean at most. */
const MAX_LINKS = 40;

/** Where the matched cells stand in the question, by the token that they begin with, longest first. */
export function linkValues(
  question: string,
  tokens: readonly Token[],
  values: readonly ValueMatch[],
  index: SchemaIndex,
): ReadonlyMap<number, readonly ValueMention[]> {
  const byMention = groupByMention(values, index);
  const mentions = new Map<number, readonly ValueMention[]>();
  if (byMention.size === 0) return mentions;
  tokens.forEach((token, start) => {
    const found: ValueMention[] = [];
    if (token.kind === 'quoted') {
      const links = byMention.get(token.lower.trim());
      if (links !== undefined) found.push({ start, end: start + 1, text: token.text, quoted: true, links });
    } else {
      for (let end = Math.min(tokens.length, start + MAX_TOKENS); end > start; end -= 1) {
        const text = question.slice(token.start, tokens[end - 1]?.end);
        const links = byMention.get(text.toLowerCase());
        if (links !== undefined) found.push({ start, end, text, quoted: false, links });
      }
    }
    if (found.length > 0) mentions.set(start, found);
  });
  return mentions;
}

function groupByMention(values: readonly ValueMatch[], index: SchemaIndex): Map<string, ValueLink[]> {
  const groups = new Map<string, ValueLink[]>();
  for (const { mention, attribute, value, score } of values) {
    const relation = index.attribute(attribute)?.relation;
    if (relation === undefined) continue;
    const key = mention.trim().toLowerCase();
    const link: ValueLink = { relation, attribute, value, cost: Math.max(0, 1 - score) };
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [link]);
    else if (group.length < MAX_LINKS) group.push(link);
  }
  return groups;
}
