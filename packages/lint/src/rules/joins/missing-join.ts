import type { JoinPath, RelationId } from '@askema/core';
import { splitWords } from '@askema/grounding';
import { originOf } from '../../resolve/query-facts.ts';
import type { ResolvedQuery } from '../../resolve/resolved-query.ts';
import { isNamedAlone } from '../question/question-cues.ts';
import type { InspectionRule, RuleFinding } from '../rule.ts';
import { joinGraphs } from './build-join-graphs.ts';
import { attributeTitle, keyName, keysBetween, nodeName } from './join-graph.ts';
import { looseLinks } from './judge-links.ts';

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

/** A relation that the question names and the statement does without. */
interface AskedRelation {
  readonly relation: RelationId;
  /** The relation of the statement that a key connects it with. */
  readonly neighbour: RelationId;
  /** The words of the question. */
  readonly words: string;
}

/**
 * Relations whose whole name stands in the question by itself, that a foreign key connects with a relation of the
 * statement, and that nothing in the statement stands for: no relation and no attribute of its relations has those words
 * in its name, no reference to it is read.
 */
function askedRelations(query: ResolvedQuery): readonly AskedRelation[] {
  const { index, question } = query;
  if (question === undefined) return [];
  const used = new Set<RelationId>();
  for (const { relations } of query.blocks)
    for (const relation of relations) {
      if (relation.kind === 'relation') used.add(relation.id);
      else if (relation.kind !== 'block') return [];
    }
  const read = wordsRead(query);
  const standIns = [...used].flatMap((id) => [
    splitWords(index.relation(id)?.name ?? ''),
    ...index.attributesOf(id).map(({ name }) => splitWords(name)),
  ]);
  const found: AskedRelation[] = [];
  for (const neighbour of used)
    for (const relation of index.neighbours(neighbour)) {
      if (used.has(relation) || found.some((one) => one.relation === relation)) continue;
      const words = splitWords(index.relation(relation)?.name ?? '');
      if (words.length === 0 || !isNamedAlone(question, words, read)) continue;
      if (isReferredByUse(query, relation) || isBridge(query, neighbour)) continue;
      if (standIns.some((names) => words.every((word) => names.some((name) => name.startsWith(word))))) continue;
      found.push({ relation, neighbour, words: words.join(' ') });
    }
  return found;
}

/** The words of the names of all attributes that the statement reads. */
function wordsRead(query: ResolvedQuery): readonly string[] {
  return query.blocks.flatMap(({ block, columns }) =>
    columns.flatMap((_, column) => {
      const attribute = originOf(query, block.id, column);
      return attribute === undefined ? [] : splitWords(query.index.attribute(attribute)?.name ?? '');
    }),
  );
}

/** True where the statement reads an attribute that refers to the relation: its key stands for it. */
function isReferredByUse({ index, blocks }: ResolvedQuery, relation: RelationId): boolean {
  const keys = index.foreignKeysTo(relation).flatMap(({ pairs }) => pairs.map(({ from }) => from));
  return blocks.some(({ columns }) =>
    columns.some((column) => column.kind === 'attribute' && keys.includes(column.attribute)),
  );
}

/** A relation of nothing but references stands for what it connects. */
function isBridge({ index }: ResolvedQuery, relation: RelationId): boolean {
  const keys = index.foreignKeysFrom(relation);
  const references = new Set(keys.flatMap(({ pairs }) => pairs.map(({ from }) => from)));
  return (
    keys.length > 1 && index.attributesOf(relation).every(({ id, name }) => references.has(id) || /^id$/i.test(name))
  );
}
