/** A statement that somebody or something ran, as a log tells it. */
export interface LoggedStatement {
  readonly sql: string;
  /** How often it ran. Default: 1. */
  readonly calls?: number | undefined;
  /** Whoever ran it: told apart and counted, never shown. */
  readonly user?: string | undefined;
  /** ISO 8601. */
  readonly at?: string | undefined;
  readonly failed?: boolean | undefined;
  readonly application?: string | undefined;
  /** A tag or labels of the statement, as text. */
  readonly tag?: string | undefined;
  /** Known to come from Askema, where the source of the log says so. */
  readonly isOwn?: boolean | undefined;
}

/** Why a statement taught nothing. */
export type SkipReason =
  | 'failed'
  | 'own'
  | 'before --since'
  | 'no query'
  | 'too long'
  | 'not parsed'
  | 'hidden'
  | 'too many shapes'
  | 'by a tool';

/** From so many runs on, in all, one origin is a tool if it mostly repeats texts. */
const TOOL_RUNS = 20;

/** What counts, and from when on. */
export interface MineLimits {
  /** A proposal stands in at least so many runs. Default: 5, and one in 2,000 of those that count. */
  readonly minCount: number;
  /**
   * By at least so many users. Default: 2. One user is enough from ten times `minCount` runs on, and where the log names
   * no users.
   */
  readonly minUsers: number;
  /** ISO 8601: older statements are left out; those without a time are kept. */
  readonly since: string | undefined;
  /** Applications or users that are tools, whatever they run; compared without case. */
  readonly tools: readonly string[];
  /**
   * A text that one origin (application and user) ran so many times is repeated; an origin that mostly repeats is a tool.
   * Default: 20.
   */
  readonly toolRuns: number;
  /** Statements of tools count as well. Default: false. */
  readonly withTools: boolean;
  /** Texts of conditions may stand in proposals, whoever used them. Default: false. */
  readonly values: boolean;
}

export const MINE_DEFAULTS: MineLimits = {
  minCount: 5,
  minUsers: 2,
  since: undefined,
  tools: [],
  toolRuns: TOOL_RUNS,
  withTools: false,
  values: false,
};
