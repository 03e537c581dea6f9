import type { Conversation, ConversationOptions } from './conversation/conversation-options.ts';
import type { OpenText2Sql } from './text2sql-options.ts';

export interface StoreConversationOptions extends Omit<ConversationOptions, 'databases' | 'model'> {
  /** Reads the messages. Default: the model that answers the questions. */
  readonly model?: ConversationOptions['model'] | undefined;
  /** What the database is called, in prompts and in turns. Default: `database`. */
  readonly name?: string | undefined;
}

/** Answers questions about one database, also those that follow one another. */
export interface Text2Sql extends OpenText2Sql {
  /**
   * A conversation about this database. Closing it leaves the database open.
   *
   * @throws AskemaError `CONFIG_INVALID`, as `conversation`.
   */
  conversation(options?: StoreConversationOptions): Conversation;
}
