/** What databases are called besides their names. */
export type DatabaseTitles = Readonly<Record<string, string | undefined>>;

/**
 * The one database whose name or title stands in a text, as whole words in any case. Undefined where none does, and
 * where several do; of `sales` and `sales-eu`, "the EU ones of sales-eu" names the longer one.
 */
export function namedDatabase(
  text: string,
  databases: readonly string[],
  titles: DatabaseTitles = {},
): string | undefined {
  if (databases.includes(text.trim())) return text.trim();
  const said = phrase(text);
  const named = databases.flatMap((database) =>
    [database, titles[database] ?? '']
      .map(phrase)
      .filter((words) => words.trim() !== '' && said.includes(words))
      .map((words) => ({ database, words })),
  );
  const [longest] = named.toSorted((left, right) => right.words.length - left.words.length);
  const isWithin = (words: string): boolean => words !== longest?.words && longest?.words.includes(words) === true;
  const isOne = named.every(({ database, words }) => database === longest?.database || isWithin(words));
  return isOne ? longest?.database : undefined;
}

/** Its words with one blank around each. */
function phrase(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return ` ${words.join(' ')} `;
}
