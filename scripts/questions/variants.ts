/** The statement once for each filling of its `{}`: gold for readings that differ only in how a key is shown. */
export function each(statement: string, ...fillings: readonly string[]): string[] {
  return fillings.map((filling) => statement.replaceAll('{}', filling));
}

/** A month as an answer may show it, where several years may occur. */
function month(column: string): string[] {
  return [`strftime('%Y-%m', ${column})`, `strftime('%Y-%m-01', ${column})`];
}

/** A month as an answer may show it, where all days are of one year. */
export function monthOfYear(column: string): string[] {
  return [...month(column), `strftime('%m', ${column})`, `CAST(strftime('%m', ${column}) AS INTEGER)`];
}

export function year(column: string): string[] {
  return [`strftime('%Y', ${column})`, `CAST(strftime('%Y', ${column}) AS INTEGER)`];
}

/** The day so many days later. */
export function later(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

export function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
