import { countTokensRoughly } from '@askema/core';
import { cutText, onOneLine } from '../../prompts/cut-text.ts';
import type { KeptTurn, TurnAnswer } from '../conversation-options.ts';
import { questionOf } from '../run-statement.ts';

/** Of all earlier turns together. */
const MAX_TOKENS = 450;
/** The last ones are shown with statement and columns. */
const WHOLE_TURNS = 3;
/** Questions of turns before those. */
const MAX_QUESTIONS = 6;
const MAX_CHARACTERS = { question: 400, short: 160, sql: 1_200, name: 40, choice: 160 } as const;
const MAX_COLUMNS = 20;

/**
 * Earlier turns as prompt text, to be fenced: the last ones whole, those before as their questions, within a budget.
 * Each turn has lines of its own, and no rows. Empty where there are none. Where they are about several databases, each
 * names its own.
 */
export function earlierTurns(turns: readonly KeptTurn[], isOfSeveral = false): string {
  // What was told of a turn, or about nothing, changes nothing that can be gone on from.
  const asked = turns.filter(({ understood, answer }) => understood !== undefined && answer.type !== 'told');
  const shown: string[] = [];
  let tokens = 0;
  const last = asked.length - 1;
  for (let position = last; position >= 0 && position > last - WHOLE_TURNS - MAX_QUESTIONS; position -= 1) {
    const turn = asked[position];
    if (turn === undefined) break;
    const first = headline(turn, isOfSeveral);
    const text =
      position > last - WHOLE_TURNS ? wholeTurn(turn, first, isOfSeveral) : cutText(first, MAX_CHARACTERS.short);
    tokens += countTokensRoughly(text);
    // The last one is what most messages are about.
    if (tokens > MAX_TOKENS && position < last) break;
    shown.unshift(text);
  }
  return shown.join('\n');
}

function headline(kept: KeptTurn, isOfSeveral: boolean): string {
  const { turn, understood } = kept;
  const { database, databases = [database] } = understood ?? {};
  const names = [...new Set(databases)].filter((name) => name !== undefined);
  return `Turn ${turn}${placeOf(names, isOfSeveral)}: ${line(questionOf(kept), MAX_CHARACTERS.question)}`;
}

function placeOf(names: readonly string[], isOfSeveral: boolean): string {
  const shown = names.map((name) => line(name, MAX_CHARACTERS.name)).join(', ');
  return isOfSeveral && shown !== '' ? ` [${shown}]` : '';
}

function wholeTurn({ answer }: KeptTurn, first: string, isOfSeveral: boolean): string {
  switch (answer.type) {
    case 'answered':
      return [first, ...gave(answer)].join('\n');
    case 'explained': {
      const parts = answer.parts.flatMap(({ question, database, answer: part }) => [
        `  part${placeOf(database === undefined ? [] : [database], isOfSeveral)}: ${line(question, MAX_CHARACTERS.short)}`,
        ...(part.type === 'answered' ? gave(part).slice(0, 1) : ['  gave no result']),
      ]);
      return [first, ...parts].join('\n');
    }
    case 'needsClarification': {
      const choices = answer.choices.map(({ id, meaning }) => `${id}) ${line(meaning, MAX_CHARACTERS.choice)}`);
      const asked = line(answer.ask, MAX_CHARACTERS.question);
      return `${first}\n  asked back: ${[asked, ...choices].join(' ')}`;
    }
    default:
      return `${first}\n  gave no result`;
  }
}

/** What a statement gave, and the statement. */
function gave({
  columns: all,
  rows: count,
  truncated,
  sql,
}: Extract<TurnAnswer, { type: 'answered' }>): readonly string[] {
  const columns = all.slice(0, MAX_COLUMNS).map((name) => line(name, MAX_CHARACTERS.name));
  const more = all.length > columns.length ? ' and more' : '';
  const rows = `${count}${truncated === true ? ' or more' : ''} ${count === 1 ? 'row' : 'rows'}`;
  return [`  gave ${rows} of: ${columns.join(', ')}${more}`, `  by: ${line(sql, MAX_CHARACTERS.sql)}`];
}

function line(text: string, most: number): string {
  return cutText(onOneLine(text).replaceAll(/\s+/g, ' ').trim(), most);
}
