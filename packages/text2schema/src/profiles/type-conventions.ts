/** Which of the five types an attribute has (SchemaAgent, section 4.1); the boundaries between them are ours. */
export const TYPE_CONVENTIONS: readonly string[] = [
  'NUMERIC: ids and numbers that identify, unless the requirement shows letters in them; amounts, prices, quantities, measures, ratings, ages, years, durations, counts.',
  'TEXT: names, titles, descriptions, addresses, e-mail addresses, passwords, codes with letters, phone numbers, postal codes, licence plates, card and tracking numbers, paths and URLs, states, categories, genders.',
  'DATETIME: points in time: dates, times, birthdays, deadlines. BOOL: facts that are yes or no (whether it was returned, is default). BINARY: pictures, files and other content that is stored itself, not its path or URL.',
];
