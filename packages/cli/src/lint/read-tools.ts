import { AskemaError, didYouMean } from '@askema/core';

/** What looks at a statement before it runs, as `--without` names it. */
export const INSPECTION_TOOLS = ['retriever', 'detector', 'planner'] as const;

export type InspectionTool = (typeof INSPECTION_TOOLS)[number];

/**
 * The tools that `--without` leaves out.
 *
 * @throws AskemaError `INPUT_INVALID` for another name, and when nothing would be left.
 */
export function readTools(without: readonly string[]): ReadonlySet<InspectionTool> {
  const off = new Set(
    without.map((name) => {
      const tool = INSPECTION_TOOLS.find((known) => known === name);
      if (tool !== undefined) return tool;
      throw new AskemaError(
        'INPUT_INVALID',
        `There is no tool \`${name}\` to leave out. ${didYouMean(name, INSPECTION_TOOLS)} Tools: ${INSPECTION_TOOLS.join(', ')}.`,
      );
    }),
  );
  if (off.size < INSPECTION_TOOLS.length) return off;
  throw new AskemaError('INPUT_INVALID', '--without leaves nothing that could look at the statement.');
}
