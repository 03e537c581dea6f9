import type { KnowledgeProblem } from '../../model/knowledge.ts';
import { conflict } from './conflict.ts';
import { type Meaning, meaningOf, overlap } from './meaning-words.ts';
import type { Statement } from './statements.ts';

/** Words that turn the sense of a rule. */
const TURNS = new RegExp(
  String.raw`\b(?:not|never|no|don't|doesn't|isn't|aren't|cannot|can't|mustn't|shouldn't|without|exclud\w+|ignor\w+` +
    String.raw`|omit\w*|avoid\w*|skip\w*|leave out)\b`,
  'gi',
);
/** This turns nothing: it says less. */
const LEFT_OPEN = /\bwithout (?:specifying|defining|stating|naming|necessitating|requiring)\b/gi;
/** Words of the other sense, which say nothing about what the rule is about. */
const AFFIRMS = /\b(?:always|must|should|includ\w+|count\w*|only|do|does)\b/gi;
/** Pairs of which one excludes the other. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [/\bascending\b|\basc\b/i, /\bdescending\b|\bdesc\b/i],
  [/\bnulls? first\b/i, /\bnulls? last\b/i],
  [/\bgross\b/i, /\bnet\b/i],
  [/\bbefore tax(es)?\b/i, /\bafter tax(es)?\b/i],
];
/** Of all words of both rules, so many must be the same. */
const MIN_OVERLAP = 0.7;
const MIN_WORDS = 2;
/** A rule is held against so many others that have a word of its own: a file may have the same word in each line. */
const MAX_MET = 200;

interface Rule {
  readonly statement: Statement;
  readonly words: Meaning;
  readonly isTurned: boolean;
  /** For each of {@link OPPOSITES}: 1 or -1 where it says one of the two, else 0. */
  readonly sides: readonly number[];
}

/** Two rules about the same words of which one says the opposite: `include returns`, `never include returns`. */
export function oppositeRules(statements: readonly Statement[]): KnowledgeProblem[] {
  const rules = statements.map((statement): Rule => {
    const text = statement.text.replace(LEFT_OPEN, ' ');
    const turns = text.match(TURNS) ?? [];
    let plain = text.replace(TURNS, ' ').replace(AFFIRMS, ' ');
    for (const [one, other] of OPPOSITES) plain = plain.replace(one, ' ').replace(other, ' ');
    return {
      statement,
      words: meaningOf(plain),
      isTurned: turns.length % 2 === 1,
      sides: OPPOSITES.map(([one, other]) => Number(one.test(text)) - Number(other.test(text))),
    };
  });
  const often = new Map<string, number>();
  for (const { words } of rules) for (const word of words.keys()) often.set(word, (often.get(word) ?? 0) + 1);
  const byWord = new Map<string, Rule[]>();
  const problems: KnowledgeProblem[] = [];
  for (const rule of rules) {
    if (rule.words.size < MIN_WORDS) continue;
    // Two that share so many of their words share one of their rarest.
    const rarest = [...rule.words.keys()]
      .sort((a, b) => (often.get(a) ?? 0) - (often.get(b) ?? 0) || (a < b ? -1 : 1))
      .slice(0, rule.words.size - Math.ceil(MIN_OVERLAP * rule.words.size) + 1);
    const met = new Set(rarest.flatMap((word) => byWord.get(word) ?? []));
    const other = [...met].find((one) => areOpposite(one, rule) && overlap(one.words, rule.words) >= MIN_OVERLAP);
    if (other !== undefined)
      problems.push(
        conflict(
          'rules-opposite',
          'Two rules say opposite things',
          [other, rule].map(({ statement }) => ({ text: statement.text, said: [statement] })),
          'Keep one of them.',
        ),
      );
    for (const word of rarest) {
      const listed = byWord.get(word);
      if (listed === undefined) byWord.set(word, [rule]);
      else if (listed.length < MAX_MET) listed.push(rule);
    }
  }
  return problems;
}

function areOpposite(a: Rule, b: Rule): boolean {
  const isOpposed = a.sides.some((side, at) => side * (b.sides[at] ?? 0) < 0);
  return isOpposed !== (a.isTurned !== b.isTurned);
}
