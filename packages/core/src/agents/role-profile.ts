/** Identifies a role in a chat: `logical-designer`. Letters, digits, `-`. */
export type RoleId = string;

/** Someone who may speak after a role, and when. */
interface NextSpeaker {
  readonly role: RoleId;
  /** When the role should name it, as an infinitive or a clause for the prompt: `an entity set has no key`. */
  readonly when: string;
}

/**
 * What a role is (SchemaAgent, section 4.1): the parts of its system prompt, and who may speak after it (section 4.3).
 * Plain data.
 */
export interface RoleProfile {
  readonly id: RoleId;
  /** For people: `Logical designer`. */
  readonly title: string;
  /** Who it is, one sentence: `You are an expert in …`. */
  readonly job: string;
  readonly goal: string;
  readonly knowledge: readonly string[];
  readonly constraints: readonly string[];
  /** Names of the tools that it may use. */
  readonly tools: readonly string[];
  /** What its answer consists of, in words; the JSON schema is added by the task. */
  readonly outputFormat: string;
  /** Who may be named as the next speaker, the forward one excluded. */
  readonly nextSpeakers: readonly NextSpeaker[];
}

/**
 * A name as it is compared: case, blanks, underscores and hyphens do not count, so `Logical Designer` is
 * `logical-designer`.
 */
export function foldRoleName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_-]/g, '');
}

/**
 * The role that has this identifier, or this title; undefined when none has. A name that merely holds another one is
 * not that one.
 */
export function roleOfName(name: string, profiles: Iterable<RoleProfile>): RoleId | undefined {
  const folded = foldRoleName(name);
  let titled: RoleId | undefined;
  for (const { id, title } of profiles) {
    if (foldRoleName(id) === folded) return id;
    if (titled === undefined && foldRoleName(title) === folded) titled = id;
  }
  return titled;
}
