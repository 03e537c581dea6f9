import { z } from 'zod';

/** A `ToolReply` that was kept elsewhere: in a conversation that came from a page, in the storage of a framework. */
export const replySchema = z.object({ structured: z.unknown(), text: z.string(), isError: z.boolean() });
