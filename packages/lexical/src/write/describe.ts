import type { LinkedCatalog } from '../link/lattice.ts';
import type { Meaning } from '../compose/meaning.ts';
import type { Query } from './query.ts';
export function describeMeaning(query: Query, meaning: Meaning, linked: LinkedCatalog): string {
  return `${query.select.length} ${meaning.notes.join('; ')} ${linked.catalog.name}`;
}
