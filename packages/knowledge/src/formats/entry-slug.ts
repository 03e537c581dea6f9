/** A name as files are named: `Total revenue?` is `total-revenue`. */
export function slugOf(name: string, fallback: string): string {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.join('-').slice(0, 80) || fallback;
}

/** The entries with ids of their own: the second of one name is `name-2`. */
export function withOwnIds<Entry extends { readonly id: string }>(entries: readonly Entry[]): Entry[] {
  const used = new Set<string>();
  return entries.map((entry) => {
    let id = entry.id;
    for (let number = 2; used.has(id.toLowerCase()); number += 1) id = `${entry.id}-${number}`;
    used.add(id.toLowerCase());
    return id === entry.id ? entry : { ...entry, id };
  });
}
