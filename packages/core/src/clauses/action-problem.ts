/** Why a sequence of clause actions is no query, or what a query has that no clause action says. Plain JSON. */
export interface ActionProblem {
  /** Index of the action in the list that was given; undefined for what concerns no single one. */
  readonly action: number | undefined;
  /** What is wrong, with which value, and what to write instead: for a model and for a person. */
  readonly message: string;
  /** Of names that do not exist: those that do, best first. */
  readonly nearestNames: readonly string[];
}

/** A problem without names to suggest. */
export function problemOf(
  action: number | undefined,
  message: string,
  nearestNames: readonly string[] = [],
): ActionProblem {
  return { action, message, nearestNames };
}
