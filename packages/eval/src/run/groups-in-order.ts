/** What datasets call their difficulties, from the easiest. */
const DIFFICULTY_ORDER = ['easy', 'simple', 'medium', 'moderate', 'hard', 'challenging', 'extra'];

/** The members of each group: difficulties from easy to hard, other names in alphabetical order. */
export function groupsInOrder<Member>(
  members: readonly Member[],
  nameOf: (member: Member) => string,
): readonly (readonly [name: string, members: readonly Member[]])[] {
  return [...Map.groupBy(members, nameOf)].sort(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
}

function placeOf(name: string): number {
  const known = DIFFICULTY_ORDER.indexOf(name);
  return known === -1 ? DIFFICULTY_ORDER.length : known;
}
