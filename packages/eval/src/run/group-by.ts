/** What datasets call their difficulties, from the easiest. */
const DIFFICULTY_ORDER = ['easy', 'simple', 'medium', 'moderate', 'hard', 'challenging', 'extra'];

/** The members of each group: difficulties from easy to hard, other names in alphabetical order. */
export function groupBy<Member>(
  members: readonly Member[],
  nameOf: (member: Member) => string,
): readonly (readonly [name: string, members: readonly Member[]])[] {
  const groups = new Map<string, Member[]>();
  for (const member of members) {
    const name = nameOf(member);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [member]);
    else group.push(member);
  }
  return [...groups].sort(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
}

function placeOf(name: string): number {
  const known = DIFFICULTY_ORDER.indexOf(name);
  return known === -1 ? DIFFICULTY_ORDER.length : known;
}
