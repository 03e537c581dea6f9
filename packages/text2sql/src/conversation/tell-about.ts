import type { KeptFact, KeptTurn } from './conversation-options.ts';

/** What is said to a message that asks nothing. */
export const NO_QUESTION = 'This asks nothing of the data. Ask a question, or go on from an earlier one.';

/** What a turn is known to be, without a model and without the database. */
export function tellAbout({ turn, answer }: KeptTurn, fact: KeptFact): string {
  if (answer.type !== 'answered') return `Turn ${turn} has no result.`;
  const { sql, columns, rows, truncated, explanation, assumptions } = answer;
  switch (fact) {
    case 'rows':
      return truncated === true
        ? `The result of turn ${turn} was cut at ${rows} rows; the database has more.`
        : `The result of turn ${turn} has ${rows} ${rows === 1 ? 'row' : 'rows'}.`;
    case 'columns':
      return `The columns of turn ${turn} are ${columns.join(', ')}.`;
    case 'sql':
      return sql;
    case 'explanation':
      return explanation ?? sql;
    case 'assumptions':
      return assumptions.length > 0 ? assumptions.join('\n') : (explanation ?? `Turn ${turn} names no assumption.`);
  }
}
