/**
 * When a question is asked back that can be read in ways with different results: never, where nothing speaks for one
 * of them rather than for another (`equal`), or always. The others stand in `assumptions` otherwise.
 */
export const ASK_BACKS = ['never', 'equal', 'always'] as const;

/** One of {@link ASK_BACKS}. */
export type AskBack = (typeof ASK_BACKS)[number];
