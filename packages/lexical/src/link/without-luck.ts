import type { TermLink, TermMention } from './links.ts';

/** What a name costs of which one word is a synonym. */
export const SYNONYM = 0.15;
/** A piece of a name that stands there whole, when it denotes something else by a synonym alone. */
const INSIDE_NAME = 0.3;

/**
 * "total amount" is `Total Amt`, and the "amount" in it no `Qty`: where a longer piece is the name of a column, what
 * its pieces denote by a synonym or a part of a name becomes unlikely.
 */
export function withoutLuck(
  mentions: ReadonlyMap<number, readonly TermMention[]>,
): ReadonlyMap<number, readonly TermMention[]> {
  const names = [...mentions.values()].flat().filter(({ start, end, links }) => end - start > 1 && links.some(isNamed));
  const inside = (mention: TermMention): boolean =>
    names.some(
      (name) =>
        name.start <= mention.start && mention.end <= name.end && name.end - name.start > mention.end - mention.start,
    );
  return new Map(
    [...mentions].map(([start, found]) => [
      start,
      found.map((mention) =>
        inside(mention)
          ? {
              ...mention,
              links: mention.links.map((link) =>
                link.cost < SYNONYM ? link : { ...link, cost: link.cost + INSIDE_NAME },
              ),
            }
          : mention,
      ),
    ]),
  );
}

function isNamed({ kind, cost }: TermLink): boolean {
  return kind === 'attribute' && cost < 0.05;
}
