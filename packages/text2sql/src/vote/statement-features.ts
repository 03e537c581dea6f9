/** Tokens of a statement beyond this say nothing more about which relations and literals it uses. */
const MAX_TOKENS = 20_000;

/** Words that every statement has; they tell nothing apart. */
const COMMON = new Set(
  'select from where and or as on join inner left right outer full group by order having limit with in is not null case when then else end asc desc'.split(
    ' ',
  ),
);

/** A comment, a text, a quoted name, a word or a number; anything else is skipped. Each alternative takes what it has begun. */
const TOKEN =
  /--[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*?\/?|'[^']*'?|"([^"]*)"?|`([^`]*)`?|([\p{L}_][\p{L}\p{N}_$]*)|(\d+(?:\.\d+)?)/gu;

/**
 * What a statement is made of, as a set: names and functions in lower case, texts and numbers as written, comments and common keywords
 * left out. A rough view that needs no dialect; it only ranks statements by likeness and never decides what runs.
 */
export function statementFeatures(sql: string): ReadonlySet<string> {
  const features = new Set<string>();
  let tokens = 0;
  for (const match of sql.matchAll(TOKEN)) {
    tokens += 1;
    if (tokens > MAX_TOKENS) break;
    const [text, quoted, backticked, word, number] = match;
    const name = quoted ?? backticked ?? word;
    if (name !== undefined) {
      const folded = name.toLowerCase();
      if (folded.length > 2 && !COMMON.has(folded)) features.add(folded);
    } else if (number !== undefined) features.add(number);
    else if (text.startsWith("'")) features.add(text.toLowerCase());
  }
  return features;
}

/** The share of features that two statements have in common (Jaccard), in [0, 1]. */
export function featureLikeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 && b.size === 0) return 1;
  let shared = 0;
  for (const feature of a) if (b.has(feature)) shared += 1;
  return shared / (a.size + b.size - shared);
}
