import type { KnowledgeQuestion } from '@askema/core';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { type Mention, mentionsIn } from '../select/names.ts';
import { phrasesAbout } from '../select/select-texts.ts';
import { selectionIndex } from '../select/selection-index.ts';
import { answerFromKnowledge } from '../solve/answer-from-knowledge.ts';

/** More names are not told. */
const MAX_NAMES = 3;
/** Behind these a name of a table is counted, and not listed. */
const COUNTS = /\b(how many|number of|count)\b/i;

/**
 * Why somebody who does not know the definitions may not answer: the question names a metric, a filter, a term with a
 * rule or an entry of the glossary, or rows of which only some count, also where the definition does not fit the
 * database. Undefined where it names none of them.
 */
export function whyDeclined(asked: KnowledgeQuestion, bound: BoundKnowledge): string | undefined {
  const { question } = asked;
  const index = selectionIndex(bound.knowledge);
  const counts = COUNTS.test(question);
  const named = mentionsIn(question, index.names)
    .filter((mention) => isDefined(mention, counts))
    .map(({ phrase }) => phrase);
  const names = [...new Set([...named, ...phrasesAbout(question, index)])].slice(0, MAX_NAMES);
  if (names.length === 0) return undefined;
  const { output } = answerFromKnowledge(asked, bound);
  const why = output.outcome === 'sql' ? 'It was not asked.' : output.explanation;
  return `The knowledge defines ${names.map((name) => JSON.stringify(name)).join(', ')}, and does not answer this question. ${why}`;
}

function isDefined({ named }: Mention, counts: boolean): boolean {
  const isTable = named.some(({ kind }) => kind === 'dataset');
  return named.some((one) => {
    if (one.kind === 'dataset') return one.dataset.defaultFilter !== undefined;
    return one.kind === 'filter' || (one.kind === 'metric' && (counts || !isTable));
  });
}
