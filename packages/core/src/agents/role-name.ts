import type { RoleId, RoleProfile } from './role-profile.ts';

/** A name as it is compared: case, blanks, underscores and hyphens do not count, so `Logical Designer` is `logical-designer`. */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]/g, '');
}

/** The role that has this identifier, or this title; undefined when none has. A name that merely holds another one is not that one. */
export function roleOfName(name: string, profiles: Iterable<RoleProfile>): RoleId | undefined {
  const folded = foldName(name);
  let titled: RoleId | undefined;
  for (const { id, title } of profiles) {
    if (foldName(id) === folded) return id;
    if (titled === undefined && foldName(title) === folded) titled = id;
  }
  return titled;
}
