import type { FunctionalDependency, RelationScheme } from '@askema/normal-form';
import { pick, seededRandom } from '../values/random.ts';

/** Relations of one kind in any size. */
export interface RelationKind {
  /** A word for commands. */
  readonly id: string;
  readonly name: string;
  readonly make: (attributes: number) => RelationScheme;
}

/** The seed of everything random here. */
const SEED = 1;

function relation(
  count: number,
  dependenciesOf: (names: readonly string[]) => readonly FunctionalDependency[],
): RelationScheme {
  const names = Array.from({ length: count }, (_, at) => `attribute ${at}`);
  return { name: 'R', attributes: names, dependencies: dependenciesOf(names) };
}

function some(names: readonly string[], atMost: number, random: () => number): readonly string[] {
  return [...new Set(Array.from({ length: 1 + Math.floor(random() * atMost) }, () => pick(names, random)))];
}

export const RELATION_KINDS: readonly RelationKind[] = [
  {
    id: 'one',
    name: 'one dependency: the first attribute determines the others',
    make: (count) => relation(count, (names) => [{ left: names.slice(0, 1), right: names.slice(1) }]),
  },
  {
    id: 'entities',
    name: 'entities of eight attributes, each with the key of the next',
    make: (count) =>
      relation(count, (names) =>
        names
          .flatMap((name, at) => (at % 8 === 0 ? [{ left: [name], right: names.slice(at + 1, at + 9) }] : []))
          .filter(({ right }) => right.length > 0),
      ),
  },
  {
    id: 'random',
    name: 'as many random dependencies as attributes: one to three on the left, one or two on the right',
    make: (count) => {
      const random = seededRandom(SEED);
      return relation(count, (names) =>
        names.map(() => ({ left: some(names, 3, random), right: some(names, 2, random) })),
      );
    },
  },
  {
    id: 'chain',
    name: 'a chain in random order: each attribute determines the next',
    make: (count) => {
      const random = seededRandom(SEED);
      return relation(count, (names) =>
        names
          .slice(1)
          .map((name, at) => ({ order: random(), left: [names[at] ?? ''], right: [name] }))
          .sort((a, b) => a.order - b.order)
          .map(({ left, right }) => ({ left, right })),
      );
    },
  },
  {
    id: 'pairs',
    name: 'pairs that determine each other: 2^(n/2) keys',
    make: (count) =>
      relation(count, (names) => names.map((name, at) => ({ left: [name], right: [names[at ^ 1] ?? name] }))),
  },
];
