import { AskemaError } from '../errors/askema-error.ts';
import type { AgentToolSpec } from './agent-tool.ts';
import type { RoleId, RoleProfile } from './role-profile.ts';

export interface RenderProfileOptions {
  /** The worked example whose steps show each role its form; trusted text of the prompt's author, not data. */
  readonly demonstration?: string | undefined;
  /** The tools named in the profile, with description and input. */
  readonly tools?: readonly AgentToolSpec[] | undefined;
  /** Who speaks when it names nobody. */
  readonly forward?: RoleId | undefined;
}

/** The system prompt of a role: job, goal, knowledge, constraints, tools, next speakers, output format, example (sections 4.1 and 4.3). */
export function renderProfile(profile: RoleProfile, _options: RenderProfileOptions = {}): string {
  throw new AskemaError('INTERNAL', `Profile \`${profile.id}\` cannot be rendered yet.`);
}

/** The profile without some candidates, for a chat in which those roles do not take part. */
export function withoutRoles(profile: RoleProfile, absent: readonly RoleId[]): RoleProfile {
  return { ...profile, nextSpeakers: profile.nextSpeakers.filter(({ role }) => !absent.includes(role)) };
}
