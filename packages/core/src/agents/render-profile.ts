import { FENCE_NOTE } from '../task/fence.ts';
import { jsonSchemaOf } from '../task/structured/json-schema-of.ts';
import type { AgentToolSpec } from './agent-tool.ts';
import type { RoleId, RoleProfile } from './role-profile.ts';

/** What {@link renderProfile} writes beside the profile. */
export interface RenderProfileOptions {
  /** The worked example whose steps show each role its form; trusted text of the prompt's author, not data. */
  readonly demonstration?: string | undefined;
  /** The tools that the profile names, with description and input. */
  readonly tools?: readonly AgentToolSpec[] | undefined;
  /** Who speaks when it names nobody. */
  readonly forward?: RoleId | undefined;
}

/**
 * The system prompt of a role: job, goal, knowledge, constraints, tools, next speakers, output format, example
 * (SchemaAgent, sections 4.1 and 4.3), and what a fence is. Sections without content are left out.
 */
export function renderProfile(profile: RoleProfile, options: RenderProfileOptions = {}): string {
  const sections = [
    profile.job,
    section('Goal', profile.goal),
    section('Knowledge', list(profile.knowledge)),
    section('Constraints', list(profile.constraints)),
    section('Tools', list(profile.tools.map((name) => toolText(name, options.tools)))),
    section('Next speakers', nextSpeakersText(profile, options.forward)),
    section('Output format', profile.outputFormat),
    section('Example', options.demonstration ?? ''),
    section('Data', FENCE_NOTE),
  ];
  return sections.filter((text) => text !== '').join('\n\n');
}

/** The profile without some candidates, for a chat in which those roles do not take part. */
export function withoutRoles(profile: RoleProfile, absent: readonly RoleId[]): RoleProfile {
  return { ...profile, nextSpeakers: profile.nextSpeakers.filter(({ role }) => !absent.includes(role)) };
}

function section(title: string, text: string): string {
  return text.trim() === '' ? '' : `# ${title}\n${text.trim()}`;
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function toolText(name: string, specs: readonly AgentToolSpec[] = []): string {
  const spec = specs.find((candidate) => candidate.name === name);
  if (spec === undefined) return `\`${name}\``;
  const schema = jsonSchemaOf(spec.input);
  return `\`${name}\`: ${spec.description}${schema === undefined ? '' : ` Input: ${JSON.stringify(schema)}`}`;
}

function nextSpeakersText(profile: RoleProfile, forward: RoleId | undefined): string {
  const candidates = profile.nextSpeakers.filter(({ role }) => role !== forward);
  const usual = forward === undefined ? '' : `Unless you name somebody, \`${forward}\` speaks next.`;
  if (candidates.length === 0) return usual;
  return [
    `${usual} You may name another next speaker, by its identifier, in the field of your answer that is meant for it, and only for the reason given here; a name anywhere else has no effect. Say in your message what that role has to correct.`.trim(),
    ...candidates.map(({ role, when }) => `- \`${role}\`: when ${when}`),
  ].join('\n');
}
