/** Words that hold sentences together: a phrase of nothing else names nothing. */
export const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  'a about after all an and any are as at be been before between by did do does each every for from had has have how i in is it its last many me much my no not of on only or our per show since than that the their there these this those to until was we were what when where which who why will with without year month week day quarter'.split(
    ' ',
  ),
);

export const NUMBER_WORDS: readonly string[] =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );

/** How a verb is found under all its forms: the form behind "have". */
const IRREGULAR: Readonly<Record<string, string>> = {
  sell: 'sold',
  buy: 'bought',
  give: 'given',
  gave: 'given',
  make: 'made',
  spend: 'spent',
  send: 'sent',
  pay: 'paid',
  lose: 'lost',
  win: 'won',
  take: 'taken',
  took: 'taken',
  get: 'got',
  gotten: 'got',
  hold: 'held',
  build: 'built',
  ship: 'shipped',
};

/** "sell" and "sold" are `sold`; "receive" and "received" are `received`. */
export function participleOf(word: string): string {
  const irregular = IRREGULAR[word] ?? IRREGULAR[word.replace(/s$/u, '')];
  if (irregular !== undefined) return irregular;
  if (Object.values(IRREGULAR).includes(word) || word.endsWith('ed')) return word;
  return word.endsWith('e') ? `${word}d` : `${word}ed`;
}

export function isParticiple(word: string): boolean {
  return /^[a-z]{3,}ed$/u.test(word) || Object.values(IRREGULAR).includes(word);
}
