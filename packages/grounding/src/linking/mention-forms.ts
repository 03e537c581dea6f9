import { type AttributeId, foldName, type ValueMatch } from '@askema/core';
import { type Mention, squashMarks, squashText } from './question-mentions.ts';

/** A mention in the form that is looked up; the score caps that of its matches. */
export interface MentionForm {
  readonly mention: Mention;
  readonly maxScore: number;
}

/** Blanks around the cell, or marks and blanks inside, are all that differs. */
const TRIMMED_SCORE = 0.95;
const SQUASHED_SCORE = 0.9;
const SINGULAR_SCORE = 0.85;

/** Squashed forms shorter than this match only cells that are the same but for case and outer blanks. */
const MIN_SQUASHED_LENGTH = 3;

/** What to look up: each mention squashed, and without its plural s where it stands in no quotation marks. */
export function mentionForms(mentions: readonly Mention[]): ReadonlyMap<string, readonly MentionForm[]> {
  const forms = new Map<string, MentionForm[]>();
  const add = (key: string, form: MentionForm): void => {
    if (key === '') return;
    const group = forms.get(key);
    if (group === undefined) forms.set(key, [form]);
    else if (!group.some(({ mention }) => mention === form.mention)) group.push(form);
  };
  for (const mention of mentions) {
    const squashed = squashText(mention.text);
    add(squashed, { mention, maxScore: 1 });
    // SQLite's LOWER changes ASCII letters only: what it makes of ÉCLAIR is Éclair.
    const folded = foldName(mention.text, 'insensitive');
    if (folded !== mention.text.toLowerCase()) add(squashMarks(folded), { mention, maxScore: 1 });
    if (mention.quoted || squashed.length <= MIN_SQUASHED_LENGTH) continue;
    for (const singular of singularForms(squashed)) add(singular, { mention, maxScore: SINGULAR_SCORE });
  }
  return forms;
}

/** The matches of one cell that was found; the folding of an engine or an index may be coarser, so each is checked again. */
export function matchesOfCell(
  attribute: AttributeId,
  cell: string,
  forms: ReadonlyMap<string, readonly MentionForm[]>,
): ValueMatch[] {
  const squashed = squashText(cell);
  const candidates = forms.get(squashed) ?? [];
  const matches: ValueMatch[] = [];
  for (const { mention, maxScore } of candidates) {
    const likeness = Math.min(maxScore, score(mention.text, cell));
    if (likeness < TRIMMED_SCORE && squashed.length < MIN_SQUASHED_LENGTH) continue;
    matches.push({ mention: mention.text, attribute, value: cell, score: likeness });
  }
  return matches;
}

function score(mention: string, cell: string): number {
  const wanted = mention.toLowerCase();
  const stored = cell.toLowerCase();
  if (stored === wanted) return 1;
  return stored.trim() === wanted ? TRIMMED_SCORE : SQUASHED_SCORE;
}

/** "cats" may mean "cat", "categories" "category", "classes" "class". */
function singularForms(squashed: string): string[] {
  if (squashed.endsWith('ss') || !squashed.endsWith('s')) return [];
  const forms = [squashed.slice(0, -1)];
  if (squashed.endsWith('ies')) forms.push(`${squashed.slice(0, -3)}y`);
  if (/(?:s|x|z|ch|sh)es$/u.test(squashed)) forms.push(squashed.slice(0, -2));
  return forms;
}
