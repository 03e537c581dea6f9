import { ansiLexer } from '@askema/dialects';
import { significantTokens } from '@askema/sql';
import { entryId, type KnowledgeProblem, type VerifiedQuery } from '../../model/knowledge.ts';
import { conflict } from './conflict.ts';
import { meaningOf } from './meaning-words.ts';

/**
 * Verified queries that ask the same by their words and answer with another statement. Numbers, names and values in
 * quotation marks are part of the question, with their order: `from Rome to Oslo` is not `from Oslo to Rome`.
 */
export function nearQueries(queries: readonly VerifiedQuery[]): KnowledgeProblem[] {
  const byQuestion = new Map<string, VerifiedQuery>();
  return queries.flatMap((query) => {
    const key = questionKey(query.question);
    const other = byQuestion.get(key);
    if (other === undefined) byQuestion.set(key, query);
    if (other === undefined || key === '' || statementKey(other) === statementKey(query)) return [];
    return [
      conflict(
        'queries-near-equal',
        'Two verified queries ask the same and answer with different SQL',
        [
          { text: other.question, said: [{ entry: entryId('query', other.id), place: other.standing.place }] },
          { text: query.question, said: [{ entry: entryId('query', query.id), place: query.standing.place }] },
        ],
        'Keep one, or ask the other in words of its own.',
      ),
    ];
  });
}

function questionKey(question: string): string {
  const plain = question.replace(/\bhow many\b/gi, 'number of').replace(/\bby\b/gi, 'per');
  const words = [...meaningOf(plain).keys()].sort();
  const [, ...later] = question.split(/\s+/);
  // The first word has a capital because it is the first.
  const names = later.join(' ').match(/\d[\d.,]*|"[^"]*"|'[^']*'|\b[A-Z]\w*|\{\w+\}/g) ?? [];
  const turns = question
    .toLowerCase()
    .match(/\b(not|no|never|without|n't|before|after|more|less|fewer|above|below|over|under|at least|at most)\b/g);
  return words.length === 0 ? '' : [...words, '|', ...names, '|', ...(turns ?? [])].join(' ').toLowerCase();
}

function statementKey({ sql, dialect }: VerifiedQuery): string {
  const tokens = significantTokens(sql, ansiLexer).map(({ kind, text }) =>
    kind === 'word' ? text.toLowerCase() : text,
  );
  return [dialect ?? '', ...tokens].join(' ').replace(/ ;$/, '');
}
