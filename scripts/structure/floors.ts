/**
 * Who may import whom: a package imports those on lower floors only, never one of its own floor. A package that does
 * not exist yet has its place already. Tests may import any package; docs/architecture.md explains the floors.
 */
const FLOORS: readonly (readonly string[])[] = [
  ['core'],
  ['sql', 'normal-form', 'dialects'],
  ['sql-parser', 'grounding'],
  ['lint', 'adapter-kit'],
  ['value-index', 'knowledge'],
  ['adapters/*', 'openai', 'anthropic', 'ai-sdk', 'lexical', 'text2sql', 'text2schema', 'chart', 'otel', 'dbos'],
  ['eval', 'tools'],
  ['report', 'server'],
  ['studio', 'cli'],
  // Imported by tests, examples and bench only.
  ['testkit'],
];

/** The floor of a package by its path (`packages/core`, `adapters/sqlite`), or undefined where the table lacks it. */
export function floorOf(path: string): number | undefined {
  const name = path.startsWith('adapters/') ? 'adapters/*' : path.replace('packages/', '');
  const floor = FLOORS.findIndex((names) => names.includes(name));
  return floor === -1 ? undefined : floor;
}

/** Why the package at `from` must not import the one at `to`, with what to do instead, or undefined where it may. */
export function floorBreach(from: string, to: string): string | undefined {
  const [own, other] = [floorOf(from), floorOf(to)];
  if (own === undefined || other === undefined)
    return `no floor for ${own === undefined ? from : to}: give it one in scripts/structure/floors.ts`;
  if (other < own) return undefined;
  if (to === 'packages/testkit') return 'testkit is for tests, examples and bench only: move what is needed out of it';
  const place =
    other === own ? `${to} stands on the same floor, ${own}` : `${to} stands on floor ${other}, above ${own}`;
  return `${place}: take what is needed as a value, or move it to a lower floor`;
}
