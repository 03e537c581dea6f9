import { type AgentTool, AskemaError, defineTool } from '@askema/core';
import {
  candidateKeys,
  type Decomposition,
  dependencyText,
  normalFormOf,
  type RelationScheme,
  synthesize3NF,
  verifyCertificate,
} from '@askema/normal-form';
import * as z from 'zod';
import { listOf, nameField, nameList } from './output-fields.ts';

/** Relations as the theory sees them, several in one use of a tool. */
const schemes = z.object({
  relations: listOf(
    z.object({
      name: nameField(),
      attributes: nameList(),
      dependencies: listOf(z.object({ left: nameList(), right: nameList() })),
    }),
  ).describe('Each with all its attributes, those that are keys of others included.'),
});

/** Relations looked at in one use: more is no design. */
const MAX_RELATIONS = 60;

/** The tools of SchemaAgent (section 4.1: keys, decomposition), for an agent that works alone. */
export const DESIGN_TOOLS: readonly AgentTool[] = [
  defineTool({
    name: 'find_keys',
    description: 'finds the candidate keys of relations from their functional dependencies.',
    input: schemes,
    run: ({ relations }) => forEach(relations, keysText),
  }),
  defineTool({
    name: 'decompose',
    description:
      'makes relations in third normal form of relations with functional dependencies, without loss and keeping the dependencies.',
    input: schemes,
    run: ({ relations }) => forEach(relations, (scheme) => decompositionText(synthesize3NF(scheme))),
  }),
];

function forEach(relations: readonly RelationScheme[], text: (scheme: RelationScheme) => string): string {
  if (relations.length === 0) return 'No relations were given.';
  if (relations.length > MAX_RELATIONS)
    throw new AskemaError(
      'INPUT_INVALID',
      `${relations.length} relations were given; at most ${MAX_RELATIONS} at once.`,
    );
  return relations
    .map((scheme) => {
      try {
        return text(scheme);
      } catch (error) {
        if (error instanceof AskemaError) return `${scheme.name}: ${error.message}`;
        throw error;
      }
    })
    .join('\n');
}

function keysText(scheme: RelationScheme): string {
  const { keys, complete } = candidateKeys(scheme);
  const form = normalFormOf(scheme).form;
  const shown = keys.map((key) => `(${key.join(', ')})`).join(', ');
  return `${scheme.name}: ${shown}${complete ? '' : ' and more'}; highest normal form ${form}`;
}

function decompositionText(decomposition: Decomposition): string {
  const { original, relations, foreignKeys } = decomposition;
  const { valid } = verifyCertificate(decomposition);
  return [
    `${original.name}: ${relations.length === 1 ? 'stays one relation' : `${relations.length} relations`}${valid ? ', proved' : ''}`,
    ...relations.map(({ name, attributes, key, dependencies }) => {
      const hold = dependencies.map(dependencyText).join('; ');
      return `  ${name}(${attributes.join(', ')}) key ${key.join(', ')}${hold === '' ? '' : `; ${hold}`}`;
    }),
    ...foreignKeys.map(({ from, to, attributes }) => `  ${from}(${attributes.join(', ')}) references ${to}`),
  ].join('\n');
}
