import { type ChatMessage, fence, type RoleId, renderProfile, withoutRoles } from '@askema/core';
import { demonstrationFor } from '../demonstration/index.ts';
import { type RequirementReport, ROLE_IDS, type SchemaRole } from '../model/index.ts';
import { ROLE_PROFILES } from '../profiles/role-profiles.ts';
import { reportText } from '../texts/report-text.ts';

/** What every role reads (SchemaAgent, section 4.2): the requirement, the report, and the messages that are its own. */
export interface RoleTurnInput {
  /** The user's text. Left out where it is too long for one prompt: then the report stands for it. */
  readonly requirement?: string | undefined;
  /** Left out where no product manager takes part. */
  readonly report?: RequirementReport | undefined;
  /**
   * What the role sees of the chat, oldest first: its own messages and those addressed to it. Of the others only
   * feedback is shown, because what was handed forward stands in the fields of the input; of its own, those that the
   * next judgement must not contradict.
   */
  readonly messages: readonly ChatMessage[];
  /** Roles that do not take part: they are no candidates for the next speaker. */
  readonly absentRoles?: readonly RoleId[] | undefined;
}

/** The system prompt of a role: static for equal `absentRoles`, so that vendors can cache it. */
export function roleSystemText(role: SchemaRole, absentRoles: readonly RoleId[] = []): string {
  const profile = withoutRoles(ROLE_PROFILES[role], absentRoles);
  const demonstration = demonstrationFor(role);
  // The verdict of the reviewer says who is next; it names nobody.
  if (role === 'conceptual-reviewer') return renderProfile({ ...profile, nextSpeakers: [] }, { demonstration });
  const forward = ROLE_IDS.slice(ROLE_IDS.indexOf(role) + 1).find((later) => !absentRoles.includes(later));
  return renderProfile({ ...profile, tools: [] }, { demonstration, forward });
}

/** Requirement and report, as every role after the product manager sees them. */
export function groundSections({
  requirement,
  report,
}: Pick<RoleTurnInput, 'requirement' | 'report'>): readonly string[] {
  return [
    ...(requirement === undefined ? [] : [`The requirement:\n${fence('requirement', requirement)}`]),
    ...(report === undefined
      ? ['There is no report: work from the requirement.']
      : [`The report of the product manager:\n${fence('report', reportText(report))}`]),
  ];
}

/** Older ones were answered long ago. */
const MAX_MESSAGES = 6;

/** Feedback to a role, and with `own` what it said itself: the last feedback is what it has to answer. */
export function messageSections(
  messages: readonly ChatMessage[],
  role: SchemaRole,
  { own = false }: { readonly own?: boolean } = {},
): readonly string[] {
  const shown = messages
    .filter(({ from, kind }) => (from === role ? own : kind === 'feedback' && from !== 'user'))
    .slice(-MAX_MESSAGES);
  const last = shown.findLast(({ from }) => from !== role);
  return shown.map((message) => {
    const { from, text } = message;
    if (from === role) return `You said earlier:\n${fence('your message', text)}`;
    const now = message === last ? ', to be answered now' : ', answered before';
    return `Feedback to you from the ${titleOf(from)}${now}:\n${fence('feedback', text)}`;
  });
}

/** True where somebody waits for an answer of the role. */
export function hasFeedback(messages: readonly ChatMessage[], role: SchemaRole): boolean {
  return messages.some(({ from, kind }) => kind === 'feedback' && from !== role && from !== 'user');
}

/** In which language texts are written; nothing where it is not known. */
export function languageSentence(language: string | undefined): readonly string[] {
  const plain = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}$/.exec(language ?? '')?.[0];
  return plain === undefined || plain === 'und'
    ? []
    : [`The language of the requirement is \`${plain}\`: write your texts in it, your thoughts too.`];
}

function titleOf(role: string): string {
  return (ROLE_PROFILES[role as SchemaRole]?.title ?? role).toLowerCase();
}
