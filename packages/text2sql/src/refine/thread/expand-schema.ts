import { defineStep, type StepContext } from '@askema/core';
import { catalogOf } from '../../steps/sql-input.ts';
import type { Text2SqlDeps } from '../../text2sql-deps.ts';
import type { RefineThreadState } from '../refine-state.ts';

/** Characters of one description; a relation of thousands of columns would push everything else out. */
const MAX_CHARACTERS = 24_000;

export interface ExpandInput {
  readonly names: readonly string[];
  readonly catalogFingerprint: string | null;
  readonly known: readonly string[];
}

/** Gives a thread the descriptions of relations that its compressed schema leaves out. What does not exist is said. */
export const expandSchema = defineStep<RefineThreadState, Text2SqlDeps>()({
  name: 'expand-schema',
  prep: (state): ExpandInput => ({
    names: state.wanted,
    catalogFingerprint: state.asked.catalogFingerprint,
    known: state.expanded,
  }),
  exec: (input, context): Promise<readonly string[]> => describe(input, context),
  post: (state, _input, texts) => {
    state.expansions += 1;
    state.expanded = [...state.expanded, ...texts];
    state.wanted = [];
  },
});

async function describe(input: ExpandInput, context: StepContext<Text2SqlDeps>): Promise<readonly string[]> {
  const { catalogFingerprint, names, known } = input;
  const catalog = await catalogOf(catalogFingerprint, context.deps, context);
  // Without a budget: fitting one to a large catalog takes seconds, and a description does not depend on it.
  const compressed = context.deps.adapter.compressor(catalog);
  const texts = names.map((name) => compressed.expand(name) ?? `There is no relation ${JSON.stringify(name)}.`);
  return [...new Set(texts.map(shortened))].filter((text) => !known.includes(text));
}

function shortened(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}\n(and more)`;
}
