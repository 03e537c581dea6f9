import type { KnowledgeProblem, KnowledgeSettings } from '../../model/knowledge.ts';
import { conflict } from './conflict.ts';
import { isEmpty, stemOf } from './meaning-words.ts';
import type { Statement } from './statements.ts';

type Matching = NonNullable<KnowledgeSettings['matching']>;

/** How text of one thing is compared, as a statement asks for it. */
interface Policy {
  readonly matching: Matching;
  /** What it is about, as words; empty: all text. */
  readonly about: readonly string[];
  /** It allows no exception. */
  readonly isStrict: boolean;
  readonly statement: Statement;
}

/** Somebody speaks of comparing text, and not of something else that is exact. */
const COMPARES =
  /\b(match\w*|filter\w*|compar\w+|search\w*|look(?:ed|ing)? up|equal\w*)\b|\bI?LIKE\b|\bLOWER\s*\(|\bUPPER\s*\(/i;
const PARTS = String.raw`wild\s?cards?|percent signs?|partial\w*|substrings?`;
const CONTAINS = new RegExp(String.raw`\b(?:${PARTS}|contain(?:s|ing)?|fuzz(?:y|ily))\b|%`, 'i');
const NO_PARTS = new RegExp(
  String.raw`\b(?:without|no|not|never|instead of|rather than|don't|avoid)\s+(?:\w+\s+){0,2}?(?:${PARTS})`,
  'i',
);
const NO_CASE = String.raw`(?:ignor\w+|regardless of|without regard to) (?:the |letter )?case`;
const INSENSITIVE = new RegExp(
  String.raw`\bILIKE\b|\bcase[- ]?insensitiv\w*|\b${NO_CASE}\b|\b(?:LOWER|UPPER)\s*\(`,
  'i',
);
const EXACT = /\bexact(?:ly)?\b|\bcase[- ]?sensitiv\w*|\bverbatim\b|\b(?:upper|lower)[- ]?case match\w*/i;
const PLAIN_LIKE = /\bLIKE\b/;

const ENDS = 'using|with|by|exactly|case|via|through|without|regardless|ignoring|verbatim';
/** Where a statement names what it is about. */
const ABOUT: readonly RegExp[] = [
  // when using X, match …
  /\bwhen (?:\w+ing)\s+(.+?),?\s+(?:ensure|match|allow|make|use|compare|filter|apply)\b/i,
  // filter X using …
  new RegExp(String.raw`\b(?:filter|match|compare|search for|search|look up)\s+(.+?)\s+(?:${ENDS})\b`, 'i'),
  // X should be matched …
  /^(?:\W*)(.+?)\s+(?:should|must|are|is|can|may|will|need|has to|have to)\b.*?\b(?:match|compar|filter|search)/i,
  // LIKE for X
  /\bI?LIKE\b(?:\s+\w+){0,4}?\s+(?:for|on)\s+([^,;.]+)/i,
];
/** Words for text as such. */
const TEXT = new Set(
  (
    'string text name value field column attribute record data entry filter condition term label query ' +
    'all any every each only always separately'
  )
    .split(' ')
    .map(stemOf),
);
/** A code is another column than the name: `airport codes`, `airport names`. */
const CODES = new Set('code id number key abbreviation symbol'.split(' ').map(stemOf));

const WAYS: Readonly<Record<Matching, string>> = {
  exact: 'exactly',
  insensitive: 'without case',
  contains: 'as a part',
};
const ADVICE = 'Keep one, or say for which columns each holds.';

/**
 * Statements that ask to compare the same text in two ways: exactly, without case, or as a part; one problem for each
 * thing that they are about. A rule about all text contradicts one about a column only where it says `always` or the
 * like, and nothing contradicts the rule itself; otherwise the column is its exception.
 */
export function conflictingPolicies(statements: readonly Statement[], settings: KnowledgeSettings): KnowledgeProblem[] {
  const policies = statements.flatMap(policiesOf);
  const general = policies.filter(({ about }) => about.length === 0);
  const special = policies.filter(({ about }) => about.length > 0);
  const always = waysOf(general).size === 1 ? general.filter(({ isStrict }) => isStrict) : [];
  const groups = [general, ...groupsOf(special).map((group) => [...group, ...always])];
  return [...groups.flatMap(conflictOf), ...againstSettings(general, settings)];
}

function conflictOf(policies: readonly Policy[]): KnowledgeProblem[] {
  const ways = waysOf(policies);
  if (ways.size < 2) return [];
  const about = policies.find((policy) => policy.about.length > 0)?.about.join(' ');
  const shown = [...ways.keys()].map((way) => WAYS[way]).join(', ');
  return [
    conflict(
      'matching-conflict',
      `${about === undefined ? 'Text' : `Text of \`${about}\``} is compared in ${ways.size} ways (${shown})`,
      [...ways.values()].map((same) => ({
        text: same[0]?.statement.text ?? '',
        said: same.map(({ statement }) => statement),
      })),
      ADVICE,
    ),
  ];
}

function waysOf(policies: readonly Policy[]): ReadonlyMap<Matching, readonly Policy[]> {
  const ways = new Map<Matching, Policy[]>();
  for (const policy of policies) ways.set(policy.matching, [...(ways.get(policy.matching) ?? []), policy]);
  return ways;
}

function againstSettings(general: readonly Policy[], { matching }: KnowledgeSettings): KnowledgeProblem[] {
  const other = general.find((policy) => policy.matching !== matching);
  if (matching === undefined || other === undefined) return [];
  const settings = { entry: 'settings', place: { file: 'knowledge.yml' } };
  return [
    conflict(
      'matching-conflict',
      `Text is compared in 2 ways (${WAYS[other.matching]}, ${WAYS[matching]})`,
      [
        { text: other.statement.text, said: [other.statement] },
        { text: `matching: ${matching}`, said: [settings] },
      ],
      'Change `matching` of knowledge.yml, or the rule.',
    ),
  ];
}

function policiesOf(statement: Statement): Policy[] {
  return clausesOf(statement.text).flatMap((text) => {
    const matching = COMPARES.test(text) ? matchingOf(text) : undefined;
    if (matching === undefined) return [];
    const isStrict = /\b(always|never|all|every|any|only|must)\b/i.test(text);
    return thingsOf(text).map((about) => ({ matching, about, isStrict, statement: { ...statement, text } }));
  });
}

/** A sentence may ask for two ways: `match a exactly, and match b with wildcards`. */
function clausesOf(text: string): string[] {
  const parts = text.split(/;\s+|,?\s+(?:and|but|while)\s+(?=(?:filter|match|compare|search)\b)/i);
  return parts.every((part) => COMPARES.test(part) && matchingOf(part) !== undefined) ? parts : [text];
}

function matchingOf(text: string): Matching | undefined {
  if (CONTAINS.test(text) && !NO_PARTS.test(text)) return 'contains';
  if (INSENSITIVE.test(text)) return 'insensitive';
  if (EXACT.test(text)) return 'exact';
  return PLAIN_LIKE.test(text) ? 'contains' : undefined;
}

/** What a statement is about, each as its words: `city and country names` are two; one empty list for all text. */
function thingsOf(text: string): string[][] {
  // Examples name values and functions, not what it is about.
  const plain = text.replace(/\((?:eg|e\.g|i\.e)\b[^)]*\)|,? (?:e\.g\.?|eg|i\.e\.?|such as)\b.*$|`[^`]*`/gi, ' ');
  const named = ABOUT.flatMap((form) => form.exec(plain)?.[1] ?? [])[0];
  if (named === undefined) return [[]];
  const things = named
    .split(/,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+/)
    .map((thing) =>
      (thing.toLowerCase().match(/[a-z][a-z0-9]*/g) ?? []).filter((word) => !isEmpty(word) && !TEXT.has(stemOf(word))),
    );
  const telling = things.filter((words) => words.length > 0);
  return telling.length === 0 ? [[]] : telling;
}

/** Longer names are cut: a name of so many words has 2 to that power of parts. */
const MAX_WORDS = 6;

/** Policies about the same thing, each once: `status` goes with `order status`, and `name` not with `name code`. */
function groupsOf(policies: readonly Policy[]): Policy[][] {
  const byThing = new Map<string, Policy[]>();
  for (const policy of policies) {
    const words = stemsOf(policy);
    const key = words.join(' ');
    byThing.set(key, [...(byThing.get(key) ?? []), policy]);
  }
  const groups = new Map([...byThing].map(([key, same]) => [key, [...same]]));
  const joined = new Set<string>();
  for (const [key, same] of byThing)
    for (const part of partsOf(key.split(' '))) {
      const shorter = groups.get(part);
      if (part === key || shorter === undefined) continue;
      shorter.push(...same);
      joined.add(key);
    }
  // What went to a shorter name is not reported again under its own, unless it contradicts itself.
  return [...groups].filter(([key, group]) => !joined.has(key) || waysOf(group).size > 1).map(([, group]) => group);
}

/** The same words, or some of them, where what is left out makes it no other column. */
function partsOf(words: readonly string[]): string[] {
  const parts: string[] = [];
  for (let bits = 1; bits < 2 ** words.length; bits += 1) {
    const isIn = (_: string, at: number): boolean => Math.floor(bits / 2 ** at) % 2 === 1;
    if (words.every((word, at) => isIn(word, at) || !CODES.has(word))) parts.push(words.filter(isIn).join(' '));
  }
  return parts;
}

function stemsOf({ about }: Policy): string[] {
  return [...new Set(about.map(stemOf))].sort().slice(0, MAX_WORDS);
}
