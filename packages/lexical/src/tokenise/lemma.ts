/** Plurals and verb forms that no rule below reaches, and words that end in s without being plurals. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    people: 'person',
    persons: 'person',
    children: 'child',
    men: 'man',
    women: 'woman',
    mice: 'mouse',
    geese: 'goose',
    feet: 'foot',
    teeth: 'tooth',
    wives: 'wife',
    knives: 'knife',
    lives: 'live',
    leaves: 'leaf',
    halves: 'half',
    shelves: 'shelf',
    wolves: 'wolf',
    indices: 'index',
    criteria: 'criterion',
    analyses: 'analysis',
    bases: 'base',
    news: 'news',
    gas: 'gas',
    alias: 'alias',
    atlas: 'atlas',
    lens: 'lens',
    this: 'this',
    has: 'have',
    had: 'have',
    having: 'have',
    is: 'be',
    are: 'be',
    was: 'be',
    were: 'be',
    been: 'be',
    being: 'be',
    does: 'do',
    did: 'do',
    done: 'do',
    as: 'as',
    his: 'his',
    its: 'its',
    hers: 'hers',
    theirs: 'theirs',
    us: 'us',
    yes: 'yes',
  }),
);

/**
 * The form under which words of questions and parts of names are equal: lower case, singular. It is a key, not always a
 * word: "course" and "courses" give "cours", because "buses" and "courses" end alike.
 */
export function lemma(word: string): string {
  const known = KNOWN.get(word);
  if (known !== undefined) return known;
  if (KNOWN.size === MOST_KNOWN) KNOWN.clear();
  const found = lemmaOf(word);
  KNOWN.set(word, found);
  return found;
}

/** Names are made of few words. */
const KNOWN = new Map<string, string>();
const MOST_KNOWN = 10_000;

function lemmaOf(word: string): string {
  const lower = word.toLowerCase();
  const irregular = IRREGULAR.get(lower);
  if (irregular !== undefined) return irregular;
  if (lower.length <= 2 || /\d/u.test(lower)) return lower;
  if (/[^aeiou]ies$/u.test(lower)) return `${lower.slice(0, -3)}y`;
  if (/[^aeiou]ie$/u.test(lower)) return `${lower.slice(0, -2)}y`;
  if (/(?:ss|us|is)$/u.test(lower)) return lower;
  if (/(?:s|x|z|ch|sh|o)es$/u.test(lower)) return lower.slice(0, -2);
  if (/(?:s|x|z|ch|sh|o)e$/u.test(lower)) return lower.slice(0, -1);
  if (lower.endsWith('s')) return lower.slice(0, -1);
  return lower;
}

/** True for a word whose form is a plural. */
export function isPlural(word: string): boolean {
  const lower = word.toLowerCase();
  if (['people', 'children', 'men', 'women', 'mice', 'feet', 'data', 'criteria', 'indices'].includes(lower))
    return true;
  return lower.endsWith('s') && !/(?:ss|us|is)$/u.test(lower) && lemma(lower) !== lower;
}

const SUFFIXES: readonly string[] = [
  'isations',
  'izations',
  'isation',
  'ization',
  'ations',
  'ation',
  'ements',
  'ement',
  'ments',
  'ment',
  'ance',
  'ators',
  'ator',
  'ated',
  'ates',
  'ate',
  'ating',
  'tions',
  'tion',
  'ings',
  'ing',
  'ions',
  'ion',
  'ers',
  'ors',
  'er',
  'or',
  'ed',
  'es',
  'al',
  's',
  'e',
];

/** Verbs whose forms share no beginning. */
const IRREGULAR_VERBS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bought: 'buy',
    sold: 'sell',
    sale: 'sell',
    sales: 'sell',
    made: 'make',
    taken: 'take',
    took: 'take',
    held: 'hold',
    taught: 'teach',
    wrote: 'write',
    written: 'write',
    paid: 'pay',
    spent: 'spend',
    sent: 'send',
    won: 'win',
    gave: 'give',
    given: 'give',
    built: 'build',
    led: 'lead',
    ran: 'run',
    got: 'get',
    saw: 'see',
    seen: 'see',
    left: 'leave',
    flew: 'fly',
    flown: 'fly',
    spoke: 'speak',
    spoken: 'speak',
    sang: 'sing',
    sung: 'sing',
    drove: 'drive',
    driven: 'drive',
    born: 'birth',
    came: 'come',
    went: 'go',
    flight: 'fly',
    flights: 'fly',
    flies: 'fly',
  }),
);

/**
 * What a verb may share with the nouns made from it: "published" and "publisher" both give "publish", among others.
 * Forms of fewer than three letters are left out.
 */
export function stems(word: string): readonly string[] {
  const lower = IRREGULAR_VERBS.get(word.toLowerCase()) ?? word.toLowerCase();
  const found = new Set([lower]);
  for (const suffix of SUFFIXES) {
    const shortest = suffix.length > 3 || suffix.startsWith('at') ? 4 : 3;
    if (lower.endsWith(suffix) && lower.length - suffix.length >= shortest) found.add(lower.slice(0, -suffix.length));
  }
  return [...found]
    .filter((form) => form.length >= 3)
    .map((form) => form.replace(/([^aeiou])\1$/u, '$1').replace(/y$/u, 'i'));
}
