/** A small made-up business: its tables, its rows, and what somebody who works there asks. */
export interface Business {
  readonly name: string;
  readonly ddl: string;
  /** Rows in the order of their columns; `random` gives numbers from 0 up to 1. */
  rows(random: () => number): Readonly<Record<string, readonly Row[]>>;
  /** The question, then statements whose results are right; one of them is enough. */
  readonly questions: readonly (readonly [question: string, ...gold: readonly string[]])[];
}

type Row = readonly (string | number | null)[];

/** The day on which all questions are asked. */
export const TODAY = '2025-06-18';

export function whole(random: () => number, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

export function oneOf<Item>(random: () => number, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

/** A day between the two, as `2024-03-09`. */
export function day(random: () => number, from = '2023-01-01', to = TODAY): string {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return new Date(first + Math.floor(random() * (last - first + 1))).toISOString().slice(0, 10);
}

/** Calls `make` with 1 to `count`. */
export function times<Item>(count: number, make: (number: number) => Item): Item[] {
  return Array.from({ length: count }, (_, at) => make(at + 1));
}

const FIRST = [
  'Anna',
  'Ben',
  'Carla',
  'David',
  'Elif',
  'Farid',
  'Grace',
  'Hugo',
  'Ines',
  'Jonas',
  'Kate',
  'Luis',
  'Mona',
];
const LAST = ['Adler', 'Brown', 'Costa', 'Dubois', 'Evans', 'Fischer', 'Garcia', 'Huber', 'Ito', 'Jansen', 'Kowalski'];

/** A name that no other number below 143 has. */
export function person(number: number): string {
  return `${FIRST[number % FIRST.length]} ${LAST[number % LAST.length]}`;
}
