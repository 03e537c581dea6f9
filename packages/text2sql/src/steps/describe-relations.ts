import type { CallContext } from '@askema/core';
import { servicesOf } from '@askema/grounding';
import type { QuestionDeps } from '../question/question-deps.ts';
import { catalogOf } from '../question/question-input.ts';

/** Relations that one answer may ask for. */
const MAX_NAMES = 5;

/** Characters of one description; a relation of thousands of columns would push everything else out. */
const MAX_CHARACTERS = 24_000;

/** The names of a list that a model gave, as far as they count. */
export function wantedRelations(names: readonly string[]): readonly string[] {
  return names
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(0, MAX_NAMES);
}

/** Descriptions of relations that the schema of a prompt leaves out. What does not exist is said. */
export async function describeRelations(
  names: readonly string[],
  catalogFingerprint: string | null,
  deps: Pick<QuestionDeps, 'adapter' | 'catalogs'>,
  context: CallContext,
): Promise<readonly string[]> {
  const catalog = await catalogOf(catalogFingerprint, deps, context);
  // A description does not depend on the budget, and the text is not needed: that of 20,000 tables takes two seconds.
  const compressed = servicesOf(deps.adapter).compressor(catalog, { maxTokens: 1 });
  const texts = names.map((name) => compressed.expand(name) ?? `There is no relation ${JSON.stringify(name)}.`);
  return [...new Set(texts.map(shortened))];
}

function shortened(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}\n(and more)`;
}
