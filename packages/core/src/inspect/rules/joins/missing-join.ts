import type { JoinPath } from '../../../schema/join-path.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import type { InspectionRule, RuleFinding } from '../../rule.ts';
import { askedRelations } from './asked-relations.ts';
import { joinGraphs } from './build-join-graphs.ts';
import { looseLinks } from './judge-links.ts';
import { attributeTitle, keyName, keysBetween, nodeName } from './link-names.ts';

/** Two relations compared directly although what connects them is a third, which the statement leaves out. */
export const missingJoin: InspectionRule = {
  code: 'missing-join',
  severity: 'warning',
  title: 'The relation that connects two others is left out.',
  *check(query) {
    yield* unasked(query);
    for (const graph of joinGraphs(query))
      for (const { link, left, right, keys, bridges } of looseLinks(query, graph)) {
        const [bridge] = bridges;
        if (keys.length > 0 || bridge === undefined) continue;
        const names = [link.left, link.right].map(({ relation }) => {
          const node = graph.nodes[relation];
          return node === undefined ? '' : nodeName(query, node);
        });
        const ways = bridges.slice(0, 3).map((path) => between(query, path));
        yield {
          message: `${names.join(' and ')} are joined on ${attributeTitle(query, left)} = ${attributeTitle(query, right)}, which no key connects. What connects them is ${ways.join(', or ')}.`,
          advice: `Join ${ways[0]} between them: ${bridge.map(({ foreignKey }) => keyName(query, foreignKey)).join(' AND ')}.`,
          span: link.span,
        };
      }
  },
};

/** The relations of a path without its ends. */
export function between(query: ResolvedQuery, path: JoinPath): string {
  return path
    .slice(0, -1)
    .map(({ to }) => query.index.relation(to)?.name ?? '')
    .join(' and ');
}

/** Relations that the question names and the statement does without. */
function* unasked(query: ResolvedQuery): Iterable<RuleFinding> {
  for (const { relation, neighbour, words } of askedRelations(query)) {
    const name = query.index.relation(relation)?.name ?? '';
    const [key] = keysBetween(query, neighbour, relation);
    if (key === undefined) continue;
    yield {
      message: `The question speaks of "${words}", but the statement does not read ${name}.`,
      advice: `Join ${name} on ${keyName(query, key)}, if the answer depends on it.`,
      span: query.blocks[0]?.block.clauses.from ?? query.shape.statement,
    };
  }
}
