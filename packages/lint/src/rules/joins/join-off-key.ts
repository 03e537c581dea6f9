import type { AttributeId, Fix } from '@askema/core';
import { splitWords } from '@askema/grounding';
import type { ResolvedQuery } from '../../resolve/resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../rule.ts';
import { joinGraphs } from './build-join-graphs.ts';
import { attributeTitle, columnSql, type JoinGraph, keyCondition, keyName, nodeName } from './join-graph.ts';
import { type LooseLink, looseLinks } from './judge-links.ts';

/**
 * A join of two relations over columns that no key connects. An error where a declared key connects the two relations
 * on other columns, or where both columns belong to different keys; a warning otherwise, and where a plain column is
 * compared with a key: nobody may have declared it. Catalogs that declare no keys for the relations give no finding.
 */
export const joinOffKey: InspectionRule = {
  code: 'join-off-key',
  severity: 'warning',
  title: 'Relations are joined over columns that no key connects.',
  *check(query) {
    const graphs = joinGraphs(query);
    for (const graph of graphs)
      for (const loose of looseLinks(query, graph))
        if (loose.keys.length > 0 || loose.bridges.length === 0) yield report(query, graph, loose);
    yield* otherKeyAsked(query, graphs);
  },
};

function report(query: ResolvedQuery, graph: JoinGraph, loose: LooseLink): RuleFinding {
  const { link, keys, partial } = loose;
  const [left, right] = [graph.nodes[link.left.relation], graph.nodes[link.right.relation]];
  const names = [left, right].map((node) => (node === undefined ? '' : nodeName(query, node)));
  const known = keys.map((key) => keyName(query, key));
  const pair = `${attributeTitle(query, loose.left)} = ${attributeTitle(query, loose.right)}`;
  const fix = keys.length === 1 && loose.isWrong ? fixOf(query, graph, loose) : undefined;
  if (partial !== undefined)
    return {
      severity: 'warning',
      message: `${names.join(' and ')} are joined on ${pair} only, but the key that connects them has ${partial.pairs.length} columns: ${known[0]}. Rows of the same ${attributeTitle(query, loose.left)} are paired that do not belong together.`,
      advice: `Join them on the whole key: ${known[0]}.`,
      span: link.span,
    };
  if (known.length > 0)
    return {
      severity: loose.isWrong ? 'error' : 'warning',
      message: `${names.join(' and ')} are joined on ${pair}, but the key that connects them is ${known.join(' or ')}.`,
      advice: `Join them on ${known.join(' or on ')}, or by the relation between them that the question means.`,
      span: link.span,
      ...(fix === undefined ? {} : { fix }),
    };
  if (loose.inferred !== undefined) {
    const { from, to } = loose.inferred;
    const better = `${attributeTitle(query, from)} = ${attributeTitle(query, to)}`;
    return {
      severity: 'warning',
      message: `${names.join(' and ')} are joined on ${pair}; by its name, ${attributeTitle(query, from)} is what refers to ${attributeTitle(query, to)}.`,
      advice: `Join them on ${better}.`,
      span: link.span,
    };
  }
  return {
    severity: 'warning',
    message: `${names.join(' and ')} are joined on ${pair}, which no key connects.`,
    advice: `Check that the two columns hold the same thing; join along foreign keys where there is a way.`,
    span: link.span,
  };
}

/** The pair replaced by the only key between the two relations. */
function fixOf(query: ResolvedQuery, graph: JoinGraph, { link, keys }: LooseLink): Fix | undefined {
  const [key] = keys;
  if (key === undefined || !link.exact || link.columns === undefined) return undefined;
  const condition = keyCondition(query, graph, key, link.left.relation, link.right.relation);
  if (condition === undefined) return undefined;
  if (key.pairs.length === 1) {
    const [, rightColumn] = link.columns;
    const from = graph.block.block.columns[link.columns[0]];
    const to = graph.block.block.columns[rightColumn];
    const isForward = keysForward(graph, link.left.relation, key.relation);
    const pair = key.pairs[0];
    if (from === undefined || to === undefined || pair === undefined) return undefined;
    const [leftKey, rightKey] = isForward ? [pair.from, pair.to] : [pair.to, pair.from];
    const sides = [
      { span: from.span, text: columnSql(query, graph, { ...link.left, key: leftKey }) },
      { span: to.span, text: columnSql(query, graph, { ...link.right, key: rightKey }) },
    ];
    const edits = sides.filter(({ span, text }) => query.sql.slice(span.start, span.end) !== text);
    return { description: `Join on ${condition}`, edits };
  }
  return { description: `Join on ${condition}`, edits: [{ span: link.span, text: condition }] };
}

function keysForward(graph: JoinGraph, node: number, relation: string): boolean {
  const resolved = graph.nodes[node]?.resolved;
  return resolved?.kind === 'relation' && resolved.id === relation;
}

/**
 * A join along one of several foreign keys between two relations, where the question names what tells another one of
 * them apart, and the statement does not use that one (`hair_colour_id`, and the question speaks of eyes).
 */
function* otherKeyAsked(query: ResolvedQuery, graphs: readonly JoinGraph[]): Iterable<RuleFinding> {
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
