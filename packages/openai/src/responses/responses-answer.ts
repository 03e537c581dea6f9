import type { ResponsesUsage } from '../usage.ts';

/** What is read of a response. Compatible servers leave out what they do not know. */
export interface ResponsesAnswer {
  readonly id?: string | undefined;
  readonly model?: string | undefined;
  readonly status?: string | undefined;
  readonly output?: readonly OutputItem[] | null | undefined;
  readonly usage?: ResponsesUsage | null | undefined;
  readonly error?: { readonly code?: string | null; readonly message?: string | null } | null | undefined;
  readonly incomplete_details?: { readonly reason?: string | null } | null | undefined;
}

/** One item of the output, whatever its kind. */
export interface OutputItem {
  readonly type: string;
  readonly id?: string | undefined;
  readonly phase?: string | null | undefined;
  readonly content?: readonly ContentPart[] | null | undefined;
  readonly summary?: readonly { readonly text?: string | undefined }[] | null | undefined;
  readonly call_id?: string | undefined;
  readonly name?: string | undefined;
  readonly arguments?: string | undefined;
}

interface ContentPart {
  readonly type: string;
  readonly text?: string | undefined;
  readonly refusal?: string | undefined;
}
