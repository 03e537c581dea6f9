import { entryId, type Knowledge, type KnowledgeProblem } from '../../model/knowledge.ts';
import { conflict, type Side } from './conflict.ts';
import { type Definition, definitionsIn } from './definitions.ts';
import { difference } from './differing-definitions.ts';
import type { Statement } from './statements.ts';

/** Terms that prose and descriptions of metrics define in two ways, each once. */
export function conflictingDefinitions(
  statements: readonly Statement[],
  knowledge: Pick<Knowledge, 'models'>,
): KnowledgeProblem[] {
  const definitions = [...definitionsIn(statements), ...definitionsIn(metricStatements(knowledge))];
  return termsOf(definitions).flatMap((ofTerm) => {
    const sides = firstDifference(ofTerm);
    if (sides === undefined) return [];
    const [a, b, why] = sides;
    return [
      conflict(
        'term-defined-twice',
        `\`${ofTerm[0]?.term ?? ''}\` is defined in two ways (${why})`,
        [sideOf(a, ofTerm, b), sideOf(b, ofTerm, a)],
        'Keep one definition, or give the two things two names.',
      ),
    ];
  });
}

/** A description says what a metric is, under its name. */
function metricStatements({ models }: Pick<Knowledge, 'models'>): Statement[] {
  return models.flatMap(({ metrics }) =>
    metrics.flatMap((metric) => {
      if (metric.description === undefined) return [];
      const [sentence = ''] = metric.description.split(/(?<=\w[.!?])\s/);
      return [
        {
          text: `${metric.name.replaceAll('_', ' ')} = ${sentence.replace(/[.!?]$/, '')}`,
          entry: entryId('metric', metric.name),
          kind: 'note' as const,
          place: metric.standing.place,
        },
      ];
    }),
  );
}

/** Definitions that share a name of their term, directly or by others. */
function termsOf(definitions: readonly Definition[]): Definition[][] {
  const groups = new Map<string, Definition[]>();
  for (const definition of definitions) {
    const met = [
      ...new Set(definition.keys.flatMap((key) => groups.get(key) ?? []).map((one) => groups.get(one.keys[0] ?? ''))),
    ];
    const group = [...new Set([...met.flatMap((one) => one ?? []), definition])];
    for (const key of group.flatMap(({ keys }) => keys)) groups.set(key, group);
  }
  return [...new Set(groups.values())].filter((group) => group.length > 1);
}

function firstDifference(definitions: readonly Definition[]): readonly [Definition, Definition, string] | undefined {
  for (const [at, a] of definitions.entries())
    for (const b of definitions.slice(at + 1)) {
      const why = difference(a, b);
      if (why !== undefined) return [a, b, why];
    }
  return undefined;
}

/** The definition with all that do not differ from it. */
function sideOf(one: Definition, all: readonly Definition[], other: Definition): Side {
  const alike = all.filter(
    (each) => each === one || (difference(each, one) === undefined && difference(each, other) !== undefined),
  );
  return { text: one.statement.text, said: [one, ...alike].map(({ statement }) => statement) };
}
