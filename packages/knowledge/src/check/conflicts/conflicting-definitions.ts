import { entryId, type Knowledge, type KnowledgeProblem } from '../../model/knowledge.ts';
import { conflict, type Side } from './conflict.ts';
import { type Definition, definitionsIn } from './definitions.ts';
import { difference, type ReadDefinition, readDefinition } from './differing-definitions.ts';
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
        `\`${ofTerm[0]?.definition.term ?? ''}\` is defined in two ways (${why})`,
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
function termsOf(definitions: readonly Definition[]): ReadDefinition[][] {
  const groups = new Map<string, Definition[]>();
  for (const definition of definitions) {
    const [first = [], ...others] = new Set(definition.keys.flatMap((key) => [groups.get(key) ?? []]));
    for (const other of others) {
      first.push(...other);
      for (const key of other.flatMap(({ keys }) => keys)) groups.set(key, first);
    }
    first.push(definition);
    for (const key of definition.keys) groups.set(key, first);
  }
  return [...new Set(groups.values())].filter((group) => group.length > 1).map((group) => group.map(readDefinition));
}

/** So many wordings of one term are compared with each other. */
const MAX_WORDINGS = 200;

function firstDifference(
  definitions: readonly ReadDefinition[],
): readonly [ReadDefinition, ReadDefinition, string] | undefined {
  const wordings = [...new Map(definitions.map((one) => [one.definition.body, one])).values()].slice(0, MAX_WORDINGS);
  for (const [at, a] of wordings.entries())
    for (const b of wordings.slice(at + 1)) {
      const why = difference(a, b);
      if (why !== undefined) return [a, b, why];
    }
  return undefined;
}

/** The definition with all that do not differ from it. */
function sideOf(one: ReadDefinition, all: readonly ReadDefinition[], other: ReadDefinition): Side {
  const alike = all.filter(
    (each) => each !== one && difference(each, one) === undefined && difference(each, other) !== undefined,
  );
  return {
    text: one.definition.statement.text,
    said: [one, ...alike].map(({ definition }) => definition.statement),
  };
}
