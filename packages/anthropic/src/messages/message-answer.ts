import type { MessageUsage } from '../usage.ts';

/** What is read of a message. Compatible servers leave out what they do not know. */
export interface MessageAnswer {
  readonly id?: string | undefined;
  readonly model?: string | undefined;
  readonly content?: readonly AnswerBlock[] | null | undefined;
  readonly stop_reason?: string | null | undefined;
  readonly stop_details?:
    | { readonly category?: string | null | undefined; readonly explanation?: string | null | undefined }
    | null
    | undefined;
  readonly usage?: MessageUsage | null | undefined;
}

/** One block of the content, whatever its kind. */
export interface AnswerBlock {
  readonly type: string;
  readonly text?: string | undefined;
  readonly thinking?: string | undefined;
  readonly signature?: string | undefined;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly input?: unknown;
  /** Only from streams: what the model wrote as input, when it is no JSON. */
  readonly invalidInput?: string | undefined;
}
