import type { ToolReply } from '@askema/tools';

/** Questions that wait for a person at most; the oldest are forgotten. */
const MAX_REMEMBERED = 200;

/** What was asked back, by its handle: a person who declines leaves the agent with the question. */
export interface RememberedReplies {
  keep(resume: string, reply: ToolReply<unknown>): void;
  /** Where another process asked, only that something is open and how to answer it. */
  of(resume: string): ToolReply<unknown>;
}

export function rememberedReplies(): RememberedReplies {
  const replies = new Map<string, ToolReply<unknown>>();
  return {
    keep(resume, reply) {
      replies.set(resume, reply);
      for (const oldest of replies.keys()) {
        if (replies.size <= MAX_REMEMBERED) break;
        replies.delete(oldest);
      }
    },
    of: (resume) => replies.get(resume) ?? openReply(resume),
  };
}

function openReply(resume: string): ToolReply<unknown> {
  const next = JSON.stringify({ resume, choice: 'an id, or their words' });
  return {
    structured: { type: 'needsClarification', resume },
    text: `needsClarification. The person did not answer. Ask them yourself, then call ask with answers: ${next}.`,
    isError: false,
  };
}
