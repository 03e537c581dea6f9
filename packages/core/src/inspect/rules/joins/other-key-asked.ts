import type { AttributeId } from '../../../schema/schema.ts';
import { splitWords } from '../../../text/split-words.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import type { RuleFinding } from '../../rule.ts';
import type { JoinGraph } from './join-graph.ts';
import { attributeTitle, keyName } from './link-names.ts';

/**
 * A join along one of several foreign keys between two relations, where the question names what tells another one of them apart, and the
 * statement does not use that one (`hair_colour_id`, and the question speaks of eyes).
 */
export function* otherKeyAsked(query: ResolvedQuery, graphs: readonly JoinGraph[]): Iterable<RuleFinding> {
  if (query.question === undefined) return;
  const { index } = query;
  const asked = new Set(splitWords(query.question));
  const used = new Set(
    query.blocks.flatMap(({ columns }) =>
      columns.flatMap((column) => (column.kind === 'attribute' ? [column.attribute] : [])),
    ),
  );
  for (const { left, right, span } of graphs.flatMap(({ links }) => links))
    for (const [from, to] of [
      [left.attribute, right.attribute],
      [right.attribute, left.attribute],
    ]) {
      const owner = from === undefined ? undefined : index.attribute(from)?.relation;
      if (from === undefined || to === undefined || owner === undefined) continue;
      const keys = index.foreignKeysFrom(owner).filter(({ pairs }) => pairs.length === 1 && pairs[0]?.to === to);
      if (keys.length < 2 || !keys.some(({ pairs }) => pairs[0]?.from === from)) continue;
      // What names a relation tells none of its keys apart.
      const target = index.attribute(to)?.relation ?? '';
      const names = new Set([owner, target].flatMap((id) => splitWords(index.relation(id)?.name ?? '')));
      const tells = (id: AttributeId): readonly string[] =>
        distinctive(query, id, keys).filter((word) => !names.has(word));
      if (tells(from).some((word) => asked.has(word))) continue;
      for (const key of keys) {
        const other = key.pairs[0]?.from;
        const word = other === undefined ? undefined : tells(other).find((one) => asked.has(one));
        if (other === undefined || other === from || word === undefined || used.has(other)) continue;
        yield {
          severity: 'warning',
          message: `The join follows ${attributeTitle(query, from)}, but the question says "${word}": that is ${attributeTitle(query, other)}.`,
          advice: `Join on ${keyName(query, key)}, if "${word}" of the question means that.`,
          span,
        };
        break;
      }
    }
}

/** The words of an attribute's name that the other keys do not share. */
function distinctive(
  query: ResolvedQuery,
  id: AttributeId,
  keys: readonly { readonly pairs: readonly { readonly from: AttributeId }[] }[],
): readonly string[] {
  const nameOf = (attribute: AttributeId): readonly string[] =>
    splitWords(query.index.attribute(attribute)?.name ?? '');
  const others = new Set(keys.flatMap(({ pairs }) => pairs.flatMap(({ from }) => (from === id ? [] : nameOf(from)))));
  return nameOf(id).filter((word) => word.length > 2 && !others.has(word));
}
