import type { ExplainedPart, KeptFact, KeptTurn, TurnAnswer } from './conversation-options.ts';

/** What is said to a message that asks nothing. */
export const NO_QUESTION = 'This asks nothing of the data. Ask a question, or go on from an earlier one.';

/** What is said where nobody could tell, for the second time, which database is meant. */
export function oneDatabase(databases: readonly string[]): string {
  return `One question is answered from one database, and this names none of ${databases.join(', ')}. Ask each for its part, or ask for a comparison of two results.`;
}

/**
 * What a turn is known to be, without a model and without the database: of an explanation, each part with its question.
 * Undefined where nothing was asked.
 */
export function tellAbout({ turn, answer }: KeptTurn, fact: KeptFact): string | undefined {
  if (answer.type !== 'explained') return tellAnswer(answer, `turn ${turn}`, fact);
  return answer.parts.map((part, at) => tellPart(part, `part ${at + 1} of turn ${turn}`, fact)).join('\n');
}

function tellPart({ question, answer }: ExplainedPart, name: string, fact: KeptFact): string {
  return `${question}\n${tellAnswer(answer, name, fact) ?? `Nothing is known of ${name}.`}`;
}

function tellAnswer(answer: TurnAnswer, name: string, fact: KeptFact): string | undefined {
  if (answer.type !== 'answered')
    return 'reason' in answer ? `There is no result of ${name}: ${answer.reason}` : undefined;
  const { sql, columns, rows, truncated, explanation, assumptions } = answer;
  switch (fact) {
    case 'rows':
      return truncated === true
        ? `The result of ${name} was cut at ${rows} rows; the database has more.`
        : `The result of ${name} has ${rows} ${rows === 1 ? 'row' : 'rows'}.`;
    case 'columns':
      return `The columns of ${name} are ${columns.join(', ')}.`;
    case 'sql':
      return sql;
    case 'explanation':
      return explanation ?? sql;
    case 'assumptions':
      return assumptions.length > 0 ? assumptions.join('\n') : (explanation ?? `No assumption of ${name} is known.`);
  }
}
