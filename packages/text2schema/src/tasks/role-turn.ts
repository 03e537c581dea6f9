import type { ChatMessage } from '@askema/core';
import type { RequirementReport } from '../model/index.ts';

/** What every role reads (SchemaAgent, section 4.2): the requirement, the report, and the messages that are its own. */
export interface RoleTurnInput {
  /** The user's text. Left out where it is too long for one prompt: then the report stands for it. */
  readonly requirement?: string | undefined;
  /** Left out where no product manager takes part. */
  readonly report?: RequirementReport | undefined;
  /**
   * What else the role sees: its own messages and those addressed to it, oldest first, without the requirement and the report. The last
   * one that is feedback is what it has to answer.
   */
  readonly messages: readonly ChatMessage[];
}
