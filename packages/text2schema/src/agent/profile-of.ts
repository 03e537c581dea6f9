import { type RoleProfile, withoutRoles } from '@askema/core';
import type { SchemaRole } from '../model/index.ts';
import { ROLE_PROFILES } from '../profiles/index.ts';

/** The profile of a role in a chat in which some roles do not take part. */
export function profileOf(role: SchemaRole, absent: readonly SchemaRole[]): RoleProfile {
  return withoutRoles(ROLE_PROFILES[role], absent);
}
