import type { KnowledgeBasis } from '@askema/core';
import type { KnowledgeText, VerifiedQuery } from '../model/knowledge.ts';
import { shortLine } from '../words/short-line.ts';
import type { BoundKnowledge } from './bound-knowledge.ts';
import { definitionText } from './definition-text.ts';

/** Longer definitions are cut: whoever wants them whole looks at the file. */
const MAX_DEFINITION = 200;

/** Metrics by name, as what an answer stands on. */
export function metricBases(names: readonly string[], { metrics, dialect }: BoundKnowledge): readonly KnowledgeBasis[] {
  return names.flatMap((name): KnowledgeBasis[] => {
    const metric = metrics.get(name.toLowerCase());
    if (metric === undefined) return [];
    const definition = shortText(definitionText(metric, dialect));
    return [{ kind: 'metric', name: metric.name, definition, state: metric.standing.state }];
  });
}

export function ruleBasis({ title, text, standing }: KnowledgeText): KnowledgeBasis {
  return { kind: 'rule', name: title, definition: shortText(text), state: standing.state };
}

export function queryBasis(
  { id, question, standing }: VerifiedQuery,
  parameters: NonNullable<KnowledgeBasis['parameters']>,
): KnowledgeBasis {
  const filled = Object.keys(parameters).length === 0 ? {} : { parameters };
  return { kind: 'verifiedQuery', name: id, definition: shortText(question), state: standing.state, ...filled };
}

/** On one line. */
export function shortText(text: string): string {
  return shortLine(text, MAX_DEFINITION);
}
